/// The content of a screen, from top to bottom.
package struct Frame: Equatable, Sendable {
  /// The lines. There are at most as many as the terminal has rows, and none is wider than the
  /// terminal.
  package var lines: [Line]
  /// The position where text is typed, counted from 0, or nil to hide the cursor.
  package var cursor: Position?

  package struct Position: Equatable, Sendable {
    package var row: Int
    package var column: Int

    package init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }
  }

  package init(_ lines: [Line] = [], cursor: Position? = nil) {
    self.lines = lines
    self.cursor = cursor
  }
}
