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
