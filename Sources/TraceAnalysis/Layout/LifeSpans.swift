package import TraceFormat

/// The time in which a subscription is alive, and its end: the data that a layout needs of it.
package struct LifeSpan: Sendable {
  package let start: Nanoseconds
  /// The end of the subscription, or the end of its log if it is active.
  package let last: Nanoseconds
  package let state: Lifecycle.State
  package let isUnexpectedlyActive: Bool

  init(_ lifecycle: Lifecycle, in log: LogAnalysis) {
    start = lifecycle.start
    last = log.lastMoment(of: lifecycle)
    state = lifecycle.state
    isUnexpectedlyActive = lifecycle.isUnexpectedlyActive
  }
}

/// The life spans of a log's subscriptions, apart from all other data, so that layouts of many
/// subscriptions read little memory.
package struct LifeSpans: Sendable {
  /// The spans, by index in `LogAnalysis.lifecycles`.
  @usableFromInline let spans: [LifeSpan]
  package let activeCount: Int

  package init(_ log: LogAnalysis) {
    spans = log.lifecycles.map { LifeSpan($0, in: log) }
    activeCount = spans.count { $0.state == .active }
  }

  @inlinable
  package subscript(index: Int) -> LifeSpan { spans[index] }

  /// Returns indices in the order of beginnings. Subscriptions with the same start keep the order
  /// of the log.
  package func inOrder(_ members: [Int]) -> [Int] {
    let isBefore = { (left: Int, right: Int) -> Bool in
      (spans[left].start, left) < (spans[right].start, right)
    }
    // The members are nearly always in order already.
    let isSorted = zip(members, members.dropFirst()).allSatisfy { isBefore($0, $1) }
    return isSorted ? members : members.sorted(by: isBefore)
  }

  /// Returns the number of live subscriptions among some, over time.
  package func population(of members: [Int]) -> Population {
    Population(members.map { spans[$0] })
  }
}
