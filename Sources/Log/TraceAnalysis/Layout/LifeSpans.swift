package import TraceFormat

/// The lifetime of a subscription and its last state: the data that a layout needs.
package struct LifeSpan: Sendable {
  package let start: Nanoseconds
  /// The end of the subscription, or the end of its log if it is active.
  package let last: Nanoseconds
  package let state: Lifecycle.State
  package let isUnexpectedlyActive: Bool

  init(_ index: Int, in log: LogAnalysis) {
    let origin = log.lifecycles.origin(at: index)
    let activity = log.lifecycles.activity(at: index)
    start = origin.start
    last = log.lastMoment(activity, origin)
    state = activity.state
    isUnexpectedlyActive = activity.isUnexpectedlyActive
  }
}

/// The life spans of a log's subscriptions, by index in `LogAnalysis.lifecycles`.
package struct LifeSpans: Sendable {
  private let log: LogAnalysis

  package init(_ log: LogAnalysis) { self.log = log }

  package subscript(index: Int) -> LifeSpan { LifeSpan(index, in: log) }

  /// Returns what a task does in each of some columns; an empty array if the log doesn't show that.
  package func taskCells(
    of index: Int, _ columns: ClosedRange<Int>, _ scale: TimeScale
  ) -> [TaskCell] {
    log.taskCells(of: index, columns, scale)
  }

  /// Returns indices in the order of beginnings. Subscriptions with the same start keep the order
  /// of the log. A list that is in order is only copied if it has room for more.
  package func inOrder(_ members: MemberList) -> MemberList {
    if isInOrder(members) { return members.compact }
    let starts = members.map { (start: start(of: $0), index: $0) }
    return MemberList(
      starts.sorted { ($0.start, $0.index) < ($1.start, $1.index) }.map(\.index))
  }

  /// Returns whether the members are in order, which they nearly always are.
  private func isInOrder(_ members: MemberList) -> Bool {
    var last: (start: Nanoseconds, index: Int)?
    for index in members {
      let start = start(of: index)
      if let last, (last.start, last.index) >= (start, index) { return false }
      last = (start, index)
    }
    return true
  }

  private func start(of index: Int) -> Nanoseconds { log.lifecycles.origin(at: index).start }
}
