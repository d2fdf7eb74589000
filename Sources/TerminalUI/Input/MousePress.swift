/// A mouse event in a terminal.
package struct MousePress: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A pressed button: 0 is the left one, 1 the middle one, 2 the right one.
    case press(button: Int)
    case drag(button: Int)
    case release(button: Int)
    case wheelUp, wheelDown
  }

  package let kind: Kind
  /// The column, counted from 0 at the left.
  package let column: Int
  /// The row, counted from 0 at the top.
  package let row: Int
  package var modifiers: KeyPress.Modifiers = []

  package init(kind: Kind, column: Int, row: Int, modifiers: KeyPress.Modifiers = []) {
    self.kind = kind
    self.column = column
    self.row = row
    self.modifiers = modifiers
  }
}
