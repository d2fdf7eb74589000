import TerminalUI

/// The columns of a marble diagram: one for each time with an event. If there is not enough room,
/// events that are close in time share a column.
struct MarbleColumns {
  /// A piece of a row.
  struct Cell {
    var text = ""
    /// The text in its styles: ends have the style of their state, and elements are bold.
    var pieces: [Line.Span] = []
    var folds = false

    mutating func append(_ piece: String, _ style: Style, folds: Bool) {
      self.folds = self.folds || folds
      text += piece
      pieces.append(Line.Span(text: piece, style: style))
    }
  }

  /// All times with an event, in order.
  private let times: [UInt64]
  /// The indices of the times before gaps, widest gap first.
  private let gaps: [Int]
  private let rows: [MarbleRow]

  /// The first and the last time of each chosen column.
  private(set) var spans: [ClosedRange<UInt64>] = []
  /// The cells with contents in each row.
  private(set) var cells: [[(column: Int, cell: Cell)]] = []
  private(set) var widths: [Int] = []
  /// The number of characters between each column and the next.
  private(set) var between: [Int] = []
  var hasFolds: Bool { cells.contains { $0.contains { $0.cell.folds } } }

  /// The maximum number of characters between two columns. More would not convey anything.
  private static let widestGap = 12
  /// The maximum widths of values, from the most to the least room.
  private static let valueWidths = [24, 16, 10, 6, 4]
  private static let foldedValueWidths = [10, 6, 4]
  /// The minimum number of columns before values are cut shorter.
  private static let fewColumns = 6

  init(_ rows: [MarbleRow], width: Int) {
    self.rows = rows
    let times = Array(Set(rows.flatMap { $0.items.map(\.time) })).sorted()
    self.times = times
    gaps = times.indices.dropLast().sorted {
      let (left, right) = (times[$0 + 1] - times[$0], times[$1 + 1] - times[$1])
      return left == right ? $0 < $1 : left > right
    }
    choose(width)
  }

  private mutating func choose(_ width: Int) {
    guard !times.isEmpty else { return }
    if times.count * 2 - 1 <= width {
      for valueWidth in MarbleColumns.valueWidths {
        layOut(times.count, valueWidth)
        if space(width) >= 0 { return spread(width) }
      }
    }
    var best = 1
    for valueWidth in MarbleColumns.foldedValueWidths where best < MarbleColumns.fewColumns {
      best = max(best, maxColumns(width, valueWidth))
    }
    for valueWidth in MarbleColumns.valueWidths {
      layOut(best, valueWidth)
      if space(width) >= 0 { break }
    }
    spread(width)
  }

  /// Returns the largest number of columns that fit. The search assumes that the width grows with
  /// the number of columns, which is nearly always true.
  private mutating func maxColumns(_ width: Int, _ valueWidth: Int) -> Int {
    var (low, high) = (1, min(times.count, max(1, width)))
    while low < high {
      let middle = (low + high + 1) / 2
      layOut(middle, valueWidth)
      if space(width) >= 0 { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// Returns the room that is left over.
  private func space(_ width: Int) -> Int {
    width - widths.reduce(0, +) - (widths.count - 1)
  }

  /// Divides the times at the widest gaps.
  private mutating func layOut(_ count: Int, _ valueWidth: Int) {
    var firsts = gaps.prefix(count - 1).map { $0 + 1 }
    firsts.append(0)
    firsts.sort()
    spans = firsts.enumerated().map { index, first in
      let last = index + 1 < firsts.count ? firsts[index + 1] - 1 : times.count - 1
      return times[first]...times[last]
    }
    cells = rows.map { $0.cells(spans, valueWidth: valueWidth) }
    widths = [Int](repeating: 1, count: spans.count)
    for (column, cell) in cells.joined() {
      widths[column] = max(widths[column], DisplayWidth.columns(of: cell.text))
    }
  }

  /// Distributes the remaining room over the gaps, in proportion to their times.
  private mutating func spread(_ width: Int) {
    let lengths = zip(spans, spans.dropFirst()).map { $1.lowerBound - $0.upperBound }
    let total = lengths.reduce(0.0) { $0 + Double($1) }
    let room = Double(max(0, space(width)))
    between = lengths.map { length in
      1 + min(MarbleColumns.widestGap - 1, Int(room * Double(length) / max(1, total)))
    }
  }
}
