import TerminalUI
import TraceAnalysis
import TraceFormat

/// The columns of a marble picture: one for each time that something happened, and fewer where there is no room, so that what is
/// nearest in time shares one.
struct MarbleColumns {
  /// A piece of a row.
  struct Cell {
    var text = ""
    /// The style of an end; elements are bold.
    var pieces: [Line.Span] = []
    var folds = false

    mutating func append(_ piece: String, _ style: Style, folds: Bool) {
      self.folds = self.folds || folds
      text += piece
      pieces.append(Line.Span(text: piece, style: style))
    }
  }

  /// All times that something happened at, in their order.
  private let times: [UInt64]
  /// Places between times, the widest first.
  private let gaps: [Int]
  private let rows: [MarbleRow]

  /// What was chosen: the first time of each column, and its last.
  private(set) var spans: [ClosedRange<UInt64>] = []
  /// Those of each row with something in them.
  private(set) var cells: [[(column: Int, cell: Cell)]] = []
  private(set) var widths: [Int] = []
  /// How many signs stand between a column and the next.
  private(set) var between: [Int] = []
  var hasFolds: Bool { cells.contains { $0.contains { $0.cell.folds } } }

  /// More signs than these between two columns say nothing more.
  private static let widestGap = 12
  /// How much of a value is shown, by how much room there is.
  private static let valueWidths = [24, 16, 10, 6, 4]
  private static let foldedValueWidths = [10, 6, 4]
  /// Values are cut shorter rather than that there are fewer columns than these.
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
        lay(times.count, valueWidth)
        if space(width) >= 0 { return spread(width) }
      }
    }
    var best = 1
    for valueWidth in MarbleColumns.foldedValueWidths where best < MarbleColumns.fewColumns {
      best = max(best, mostColumns(width, valueWidth))
    }
    for valueWidth in MarbleColumns.valueWidths {
      lay(best, valueWidth)
      if space(width) >= 0 { break }
    }
    spread(width)
  }

  /// The most columns for which there is room: with each more the picture is wider, or nearly so.
  private mutating func mostColumns(_ width: Int, _ valueWidth: Int) -> Int {
    var (least, most) = (1, min(times.count, max(1, width)))
    while least < most {
      let middle = (least + most + 1) / 2
      lay(middle, valueWidth)
      if space(width) >= 0 { least = middle } else { most = middle - 1 }
    }
    return least
  }

  /// Room that is left over.
  private func space(_ width: Int) -> Int {
    width - widths.reduce(0, +) - (widths.count - 1)
  }

  /// Divides the times where they are furthest apart.
  private mutating func lay(_ count: Int, _ valueWidth: Int) {
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

  /// Gives what is left over to the gaps, in proportion to their times.
  private mutating func spread(_ width: Int) {
    let lengths = zip(spans, spans.dropFirst()).map { $1.lowerBound - $0.upperBound }
    let total = lengths.reduce(0.0) { $0 + Double($1) }
    let room = Double(max(0, space(width)))
    between = lengths.map { length in
      1 + min(MarbleColumns.widestGap - 1, Int(room * Double(length) / max(1, total)))
    }
  }
}
