/// A packing of the subscriptions of a lane into a few rows, so that none covers another.
struct RowPacking {
  struct Span {
    /// The index in `LogAnalysis.lifecycles`.
    let index: Int
    let columns: ClosedRange<Int>
    /// The rank of the span. If there is not room for all spans, lower ranks get a row first.
    let rank: Int
  }

  private(set) var rows: [[Span]] = []
  /// The spans without a row, because there is no room.
  private(set) var folded: [Span] = []

  /// Packs spans, which must be in the order of their beginnings.
  init(_ spans: [Span], limit: Int) {
    pack(spans, limit: limit)
    guard !folded.isEmpty else { return }
    rows = []
    folded = []
    packByRank(spans, limit: limit)
  }

  /// Puts each span into the first row that is free where the span begins, so that a row reads from
  /// left to right.
  private mutating func pack(_ spans: [Span], limit: Int) {
    var ends: [Int] = []
    for span in spans {
      if let row = ends.firstIndex(where: { $0 < span.columns.lowerBound }) {
        rows[row].append(span)
        ends[row] = span.columns.upperBound
      } else if rows.count < limit {
        rows.append([span])
        ends.append(span.columns.upperBound)
      } else {
        folded.append(span)
        return
      }
    }
  }

  /// Puts the most important spans into rows, and longer spans before shorter ones.
  private mutating func packByRank(_ spans: [Span], limit: Int) {
    let columns = (spans.map(\.columns.upperBound).max() ?? 0) + 1
    var isTaken = [[Bool]](repeating: Array(repeating: false, count: columns), count: limit)
    rows = Array(repeating: [], count: limit)
    let order = spans.indices.sorted {
      (spans[$0].rank, -spans[$0].columns.count, $0)
        < (spans[$1].rank, -spans[$1].columns.count, $1)
    }
    for span in order.map({ spans[$0] }) {
      if let row = isTaken.firstIndex(where: { !$0[span.columns].contains(true) }) {
        for column in span.columns { isTaken[row][column] = true }
        rows[row].append(span)
      } else {
        folded.append(span)
      }
    }
  }
}
