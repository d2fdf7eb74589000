import TerminalUI
import TraceAnalysis
import TraceFormat

/// The life spans of a log's subscriptions: the data that drawing needs of all of them, without
/// other details.
struct LifeSpans: Sendable {
  struct Span: Sendable {
    let start: Nanoseconds
    /// The end of the subscription, or the end of its log if it is active.
    let last: Nanoseconds
    let state: Lifecycle.State
    let isUnexpectedlyActive: Bool
  }

  /// The spans, by index in `LogAnalysis.lifecycles`.
  private let spans: [Span]
  let activeCount: Int

  init(_ log: LogAnalysis) {
    spans = log.lifecycles.map { lifecycle in
      Span(
        start: lifecycle.start, last: log.lastMoment(of: lifecycle), state: lifecycle.state,
        isUnexpectedlyActive: lifecycle.isUnexpectedlyActive)
    }
    activeCount = spans.count { $0.state == .active }
  }

  subscript(index: Int) -> Span { spans[index] }

  /// Returns indices in the order of beginnings. Subscriptions with the same start keep the order
  /// of the log.
  func inOrder(_ members: [Int]) -> [Int] {
    let isBefore = { (left: Int, right: Int) -> Bool in
      (spans[left].start, left) < (spans[right].start, right)
    }
    // The members are nearly always in order already.
    let isSorted = zip(members, members.dropFirst()).allSatisfy { isBefore($0, $1) }
    return isSorted ? members : members.sorted(by: isBefore)
  }
}
