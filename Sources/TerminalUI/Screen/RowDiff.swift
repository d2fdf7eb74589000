/// What to draw of a row.
struct RowDiff {
  let row: ScreenRow
  /// Columns to draw, in order; no wide cluster is cut by an end of one.
  private(set) var runs: [Range<Int>] = []
  /// Where to erase from, up to the end.
  private(set) var erasedFrom: Int?

  /// Cells between two changes that are drawn again, because moving over them takes as many bytes.
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
      // Nobody knows how far a cluster of uncertain width reaches or reached: all that follows is drawn anew.
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
      // An uncertain one would have to be blanked and all behind it drawn.
      !row.cells[last.upperBound..<max(last.upperBound, run.lowerBound)].contains(
        where: \.isUncertain)
    {
      runs[runs.count - 1] = last.lowerBound..<max(last.upperBound, run.upperBound)
    } else {
      runs.append(run)
    }
  }
}
