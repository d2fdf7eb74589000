/// What a screen shows, from top to bottom.
package struct Frame: Equatable, Sendable {
  /// At most as many as the terminal has rows, none of them wider than it is.
  package var lines: [Line]
  /// Where text is typed, from 0; nil hides the cursor.
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
