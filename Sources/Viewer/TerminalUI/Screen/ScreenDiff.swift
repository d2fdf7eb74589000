/// The bytes that make a terminal change from one screen to another.
package enum ScreenDiff {
  static let beginUpdate = "\u{1B}[?2026h"
  static let endUpdate = "\u{1B}[?2026l"
  static let hideCursor = "\u{1B}[?25l"
  static let showCursor = "\u{1B}[?25h"

  /// Returns a whole update, to be written at once, or no bytes if nothing differs.
  ///
  /// The terminal must not wrap at the end of a line.
  ///
  /// - Parameters:
  ///   - old: The screen that the terminal shows, or nil if it is unknown, so that everything is
  ///     drawn.
  ///   - showsLinks: True to write the links of styles.
  package static func bytes(
    from old: Screen?, to new: Screen, depth: ColorDepth, showsLinks: Bool = false
  )
    -> [UInt8]
  {
    guard let old, old.columns == new.columns, old.rows == new.rows else {
      return all(of: new, depth, showsLinks)
    }
    var pen = ScreenPen(columns: new.columns, depth: depth, showsLinks: showsLinks)
    for row in 0..<new.rows where old.line(row) != new.line(row) {
      pen.draw(RowDiff(from: old.row(row), to: new.row(row)), row: row)
    }
    if pen.bytes.isEmpty, old.cursor == new.cursor { return [] }
    return wrapped(pen, new, cursorWasShown: old.cursor != nil)
  }

  private static func all(of new: Screen, _ depth: ColorDepth, _ showsLinks: Bool) -> [UInt8] {
    var pen = ScreenPen(columns: new.columns, depth: depth, showsLinks: showsLinks)
    pen.clear()
    let blank = ScreenRow(Line(), columns: new.columns)
    for row in 0..<new.rows {
      pen.draw(RowDiff(from: blank, to: new.row(row)), row: row)
    }
    return wrapped(pen, new, cursorWasShown: true)
  }

  private static func wrapped(_ pen: ScreenPen, _ new: Screen, cursorWasShown: Bool) -> [UInt8] {
    var pen = pen
    let draws = !pen.bytes.isEmpty
    let cursor = new.cursor
    // What a shell prints after it has stopped the program would be cut off at the end of a line.
    let hidden = draws ? Frame.Position(row: new.rows - 1, column: 0) : nil
    pen.finish(at: cursor ?? hidden)
    var bytes = Array(beginUpdate.utf8)
    if cursorWasShown, draws || cursor == nil { bytes += hideCursor.utf8 }
    bytes += pen.bytes
    if cursor != nil, draws || !cursorWasShown { bytes += showCursor.utf8 }
    bytes += endUpdate.utf8
    return bytes
  }
}

/// The parts of a row to draw.
struct RowDiff {
  let row: ScreenRow
  /// The ranges of columns to draw, in order. No range ends or begins inside a wide cluster.
  private(set) var runs: [Range<Int>] = []
  /// The column from which the row is erased up to its end.
  private(set) var erasedFrom: Int?

  /// The maximum number of cells between two changes that are drawn again, because moving the
  /// cursor over them takes as many bytes.
  private static let gap = 4

  init(from old: ScreenRow, to new: ScreenRow) {
    row = new
    let end = 1 + (new.cells.lastIndex { !$0.isBlank } ?? -1)
    var column = 0
    while column < end {
      guard new.differs(from: old, at: column) else {
        column += 1
        continue
      }
      let cell = new.cells[column]
      // The end of a cluster of uncertain width is unknown, now and before, so everything after it
      // is drawn again.
      if cell.isUncertain || old.cells[column].isUncertain {
        add(start(of: column)..<end)
        erasedFrom = end < new.cells.count ? end : nil
        return
      }
      add(start(of: column)..<column + cell.columns)
      column += 1
    }
    if old.cells[end...].contains(where: { !$0.isBlank }) { erasedFrom = end }
  }

  private func start(of column: Int) -> Int {
    row.cells[column].isSecondHalf ? column - 1 : column
  }

  private mutating func add(_ run: Range<Int>) {
    if let last = runs.last, run.lowerBound - last.upperBound <= Self.gap,
      // An uncertain cluster in between would have to be blanked, and everything after it drawn.
      !row.cells[last.upperBound..<max(last.upperBound, run.lowerBound)].contains(
        where: \.isUncertain)
    {
      runs[runs.count - 1] = last.lowerBound..<max(last.upperBound, run.upperBound)
    } else {
      runs.append(run)
    }
  }
}
