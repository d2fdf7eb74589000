/// What a mouse did in a terminal.
package struct MousePress: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// 0 is the left button, 1 the middle, 2 the right.
    case press(button: Int)
    case drag(button: Int)
    case release(button: Int)
    case wheelUp, wheelDown
  }

  package let kind: Kind
  /// From 0, from the left.
  package let column: Int
  /// From 0, from the top.
  package let row: Int
  package var modifiers: KeyPress.Modifiers = []

  package init(kind: Kind, column: Int, row: Int, modifiers: KeyPress.Modifiers = []) {
    self.kind = kind
    self.column = column
    self.row = row
    self.modifiers = modifiers
  }
}
