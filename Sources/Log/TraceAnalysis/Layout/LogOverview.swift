import TraceFormat

/// What all subscriptions of an excerpt do over time: counts in equal columns.
package struct LogOverview: Sendable {
  /// The elements, those of `ElementMarks.overview`.
  package let elements: [UInt32]
  package private(set) var began: [UInt32]
  /// The subscriptions that ended in any state.
  package private(set) var ended: [UInt32]
  package private(set) var failed: [UInt32]
  /// The maximum number of subscriptions that are alive at once.
  package let alive: [Int]

  /// - Parameter elements: The number of elements in each column of the scale.
  package init(_ excerpt: LogExcerpt, over scale: TimeScale, elements: [UInt32]) {
    self.elements = elements
    let log = excerpt.log
    let members = excerpt.ofSubscriptions.members
    began = Array(repeating: 0, count: scale.columns)
    (ended, failed) = (began, began)
    alive = log.peaks(of: members, over: scale)
    for index in members {
      let lifecycle = log.lifecycles[index]
      if excerpt.times.contains(lifecycle.start) { began[scale.column(of: lifecycle.start)] += 1 }
      guard let end = lifecycle.end, excerpt.times.contains(end) else { continue }
      ended[scale.column(of: end)] += 1
      if lifecycle.state == .failed { failed[scale.column(of: end)] += 1 }
    }
  }
}
