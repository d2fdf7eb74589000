package import TraceFormat

/// Subscriptions with their elements and ends at their times: what a marble picture shows, without how.
package struct MarbleDiagram: Sendable {
  package struct Row: Sendable {
    /// The place in `LogAnalysis.lifecycles`.
    package let index: Int
    /// How many of the rows above it was made for, one for the other.
    package let depth: Int
    package let state: Lifecycle.State
    /// Where the picture of it begins; nil where it began before the picture does.
    package let begin: Nanoseconds?
    /// Where it ended, or where its log or the picture does, if it never ended; nil where it ends behind the picture.
    package let end: Nanoseconds?
    /// What it failed with.
    package let error: String?
    package let marbles: [Marble]
  }

  package let rows: [Row]
  /// Subscriptions that would be shown, were there more rows.
  package let hidden: Int
  package let window: ClosedRange<Nanoseconds>

  /// More marbles than these find no room in any picture.
  private static let mostMarbles = 4096

  /// Reads the files a second time, for the elements.
  ///
  /// - Parameters:
  ///   - limit: how many rows there may be; nil for any number.
  ///   - shows: whether subscriptions of a lane are shown.
  package init(
    _ log: LogAnalysis, window: ClosedRange<Nanoseconds>, limit: Int?,
    reading: ParallelReading? = nil, shows: (String) -> Bool = { _ in true }
  ) throws(LogError) {
    let order = MarbleDiagram.order(log, window, shows)
    let shown = Array(order.prefix(limit ?? order.count))
    let empty = MarbleCollector(
      log, rows: shown.map(\.index), window: window,
      most: max(MarbleDiagram.mostMarbles, shown.count * 4))
    let found =
      if let reading { try reading.read(empty).visitor } else { try log.scan(empty) }
    self.window = window
    hidden = order.count - shown.count
    rows = zip(shown, found.rows(shown.count)).enumerated().map { row, pair in
      let lifecycle = log.lifecycles[pair.0.index]
      let last = log.lastMoment(of: lifecycle)
      let end =
        lifecycle.isActive
        ? min(last, window.upperBound) : last <= window.upperBound ? last : nil
      return Row(
        index: pair.0.index, depth: pair.0.depth, state: end == nil ? .active : lifecycle.state,
        begin: window.contains(lifecycle.start) ? lifecycle.start : nil, end: end,
        error: found.error(row: row), marbles: pair.1)
    }
  }

  /// The subscriptions to show: by the time of their beginning, each below the one that it was made for.
  private static func order(
    _ log: LogAnalysis, _ window: ClosedRange<Nanoseconds>, _ shows: (String) -> Bool
  ) -> [(index: Int, depth: Int)] {
    let chosen = log.lifecycles.indices.filter { index in
      let lifecycle = log.lifecycles[index]
      return lifecycle.start <= window.upperBound
        && log.lastMoment(of: lifecycle) >= window.lowerBound && shows(lifecycle.site.lane)
    }.sorted { (log.lifecycles[$0].start, $0) < (log.lifecycles[$1].start, $1) }
    let isChosen = Set(chosen)
    var children: [Int: [Int]] = [:]
    var roots: [Int] = []
    for index in chosen {
      if let parent = nearest(above: index, log, isChosen) {
        children[parent, default: []].append(index)
      } else {
        roots.append(index)
      }
    }
    var order: [(index: Int, depth: Int)] = []
    var seen: Set<Int> = []
    // Those whose parents go round in a circle hang on no root, and come last.
    for first in roots + chosen {
      var stack = [(index: first, depth: 0)]
      while let next = stack.popLast() {
        guard seen.insert(next.index).inserted else { continue }
        order.append(next)
        for child in (children[next.index] ?? []).reversed() {
          stack.append((child, next.depth + 1))
        }
      }
    }
    return order
  }

  /// Further up than this, nobody looks for what one was made for.
  private static let mostHidden = 100

  /// The nearest of some subscriptions that one was made for, whatever stands between them.
  private static func nearest(
    above index: Int, _ log: LogAnalysis, _ chosen: Set<Int>
  ) -> Int? {
    var current = log.parent(of: log.lifecycles[index])
    for _ in 0..<mostHidden {
      guard let above = current, above != index else { return nil }
      if chosen.contains(above) { return above }
      current = log.parent(of: log.lifecycles[above])
    }
    return nil
  }
}
