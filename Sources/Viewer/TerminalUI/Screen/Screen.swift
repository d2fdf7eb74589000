/// The content of the cells of a terminal.
///
/// A screen keeps the lines that it is made of, and creates cells only when they are needed. Most
/// rows of two screens are equal, and lines are compared faster than cells.
package struct Screen: Sendable {
  package let columns: Int
  package let rows: Int
  package let cursor: Frame.Position?
  private let shown: [Line]

  /// Creates a screen from a frame, and cuts off everything that does not fit.
  package init(_ frame: Frame, columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    shown = Array(frame.lines.prefix(self.rows))
    let isInside = frame.cursor.map {
      (0..<max(0, rows)).contains($0.row) && (0..<max(0, columns)).contains($0.column)
    }
    cursor = isInside == true ? frame.cursor : nil
  }

  package func line(_ row: Int) -> Line {
    row < shown.count ? shown[row] : Line()
  }

  package func row(_ row: Int) -> ScreenRow {
    ScreenRow(line(row), columns: columns)
  }

  /// Returns the text of all rows, without spaces at their ends.
  package func lines() -> [String] {
    (0..<rows).map { row in
      let cells = self.row(row)
      var text = (0..<columns).reduce(into: "") { $0 += cells.text($1) }
      while text.last == " " { text.removeLast() }
      return text
    }
  }
}

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
