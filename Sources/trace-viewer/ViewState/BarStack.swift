import TerminalUI
import TraceAnalysis
import TraceFormat

/// A packer that puts subscriptions into a few rows without overlap.
///
/// If there is not enough room for all, active subscriptions get rows first, because users look for
/// them.
struct BarStack {
  private(set) var rows: [[Int]] = []
  private(set) var overflow: [Int] = []

  /// Packs subscriptions.
  ///
  /// - Parameter members: The subscriptions in the order of their beginnings.
  init(_ members: [Int], _ spans: LifeSpans, rows most: Int) {
    guard !pack(members, spans, most) else { return }
    rows = []
    overflow = []
    // An active subscription reaches to the end, so each row has at most one of them, after all
    // others.
    let active = members.filter { spans[$0].isUnexpectedlyActive }.prefix(most)
    let limits = active.map { spans[$0].start }
    var ends = [Nanoseconds](repeating: .zero, count: most)
    rows = Array(repeating: [], count: most)
    let placed = Set(active)
    for index in members where !placed.contains(index) {
      let (start, end) = (spans[index].start, spans[index].last)
      let row = rows.indices.first { row in
        (rows[row].isEmpty || ends[row] <= start) && (row >= limits.count || end <= limits[row])
      }
      if let row {
        rows[row].append(index)
        ends[row] = end
      } else {
        overflow.append(index)
      }
    }
    for (row, index) in active.enumerated() { rows[row].append(index) }
    rows.removeAll(where: \.isEmpty)
  }

  /// Puts each subscription into the first row that is free at its start. Returns false if there
  /// are too few rows.
  private mutating func pack(_ members: [Int], _ spans: LifeSpans, _ most: Int) -> Bool {
    var ends: [Nanoseconds] = []
    for index in members {
      let span = spans[index]
      if let row = ends.firstIndex(where: { $0 <= span.start }) {
        rows[row].append(index)
        ends[row] = span.last
      } else {
        guard rows.count < most else { return false }
        rows.append([index])
        ends.append(span.last)
      }
    }
    return true
  }
}
