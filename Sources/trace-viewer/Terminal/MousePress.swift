/// What a mouse did in a terminal.
struct MousePress: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// 0 is the left button, 1 the middle, 2 the right.
    case press(button: Int)
    case drag(button: Int)
    case release(button: Int)
    case wheelUp, wheelDown
  }

  let kind: Kind
  /// From 0, from the left.
  let column: Int
  /// From 0, from the top.
  let row: Int
  var modifiers: KeyPress.Modifiers = []
}
