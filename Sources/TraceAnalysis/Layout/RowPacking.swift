/// Puts the subscriptions of a lane into a few rows, so that none covers another.
struct RowPacking {
  struct Span {
    /// The place in `LogAnalysis.lifecycles`.
    let index: Int
    let columns: ClosedRange<Int>
    /// The lower, the sooner it gets a row when there is not room for all.
    let rank: Int
  }

  private(set) var rows: [[Span]] = []
  /// Those that found no room.
  private(set) var folded: [Span] = []

  /// `spans` come in the order of their beginnings.
  init(_ spans: [Span], limit: Int) {
    pack(spans, limit: limit)
    guard !folded.isEmpty else { return }
    rows = []
    folded = []
    packByRank(spans, limit: limit)
  }

  /// Each into the first row that is free where it begins: a row reads from the left to the right.
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

  /// The ones that matter most get a row, the longer the sooner.
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
