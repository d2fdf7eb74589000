/// What the cells of a terminal show.
///
/// It keeps the lines that it is made of, and makes cells of them only where somebody looks: most rows of two screens
/// are the same, and lines are compared faster than cells.
package struct Screen: Sendable {
  package let columns: Int
  package let rows: Int
  package let cursor: Frame.Position?
  private let shown: [Line]

  /// What does not fit is cut off.
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

  /// The text of all rows, without spaces at their ends.
  package func lines() -> [String] {
    (0..<rows).map { row in
      let cells = self.row(row)
      var text = (0..<columns).reduce(into: "") { $0 += cells.text($1) }
      while text.last == " " { text.removeLast() }
      return text
    }
  }
}
