package import TraceFormat

/// Subscriptions with their elements and ends at their times: the content of a marble diagram
/// without its appearance.
package struct MarbleDiagram: Sendable {
  package struct Row: Sendable {
    /// The index in `LogAnalysis.lifecycles`.
    package let index: Int
    /// The number of nested rows above. The subscription was made for that of the nearest of these
    /// rows, which was made for that of the next one, and so on.
    package let depth: Int
    package let state: Lifecycle.State
    /// The time at which the subscription began; nil if that is before the window.
    package let begin: Nanoseconds?
    /// The time at which the subscription ended or, if it never ended, at which its log or the
    /// window ends; nil if it ends after the window.
    package let end: Nanoseconds?
    /// The error that the subscription failed with.
    package let error: String?
    package let marbles: [Marble]
  }

  package let rows: [Row]
  /// The number of subscriptions that more rows would show.
  package let hidden: Int
  package let window: TimeRange

  /// The maximum number of marbles. No picture has room for more.
  private static let maxMarbles = 4096

  /// Creates a diagram. It reads the files a second time, for the elements.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of rows; nil for any number.
  ///   - shows: A function that reports whether to show the subscriptions of a lane.
  package init(
    _ log: LogAnalysis, window: TimeRange, limit: Int?,
    reading: ParallelReading? = nil, shows: (String) -> Bool = { _ in true }
  ) throws(LogError) {
    let order = MarbleDiagram.order(log, window, shows)
    let shown = Array(order.prefix(limit ?? order.count))
    let empty = MarbleCollector(
      log, rows: shown.map(\.index), window: window,
      maxCount: max(MarbleDiagram.maxMarbles, shown.count * 4))
    let found =
      if let reading { try reading.read(empty).visitor } else { try log.scan(empty) }
    self.window = window
    hidden = order.count - shown.count
    rows = zip(shown, found.rows(shown.count)).enumerated().map { row, pair in
      let lifecycle = log.lifecycles[pair.0.index]
      let last = log.lastMoment(of: lifecycle)
      let end =
        lifecycle.isActive
        ? min(last, window.end) : window.endsBefore(last) ? nil : last
      return Row(
        index: pair.0.index, depth: pair.0.depth, state: end == nil ? .active : lifecycle.state,
        begin: window.contains(lifecycle.start) ? lifecycle.start : nil, end: end,
        error: found.error(row: row), marbles: pair.1)
    }
  }

  /// Returns the subscriptions to show by the times of their beginnings, each below the one that it
  /// was made for.
  private static func order(
    _ log: LogAnalysis, _ window: TimeRange, _ shows: (String) -> Bool
  ) -> [(index: Int, depth: Int)] {
    let chosen = log.lifecycles.indices.filter { index in
      let lifecycle = log.lifecycles[index]
      return window.overlaps(lifecycle.start, log.lastMoment(of: lifecycle))
        && shows(lifecycle.site.lane)
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
    // Subscriptions whose parents form a cycle have no root, and come last.
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

  /// The maximum number of steps up in the search for the subscription that one was made for.
  private static let maxHidden = 100

  /// Returns the nearest chosen subscription that a subscription was made for, directly or through
  /// others.
  private static func nearest(
    above index: Int, _ log: LogAnalysis, _ chosen: Set<Int>
  ) -> Int? {
    var current = log.parent(of: log.lifecycles[index])
    for _ in 0..<maxHidden {
      guard let above = current, above != index else { return nil }
      if chosen.contains(above) { return above }
      current = log.parent(of: log.lifecycles[above])
    }
    return nil
  }
}
