import TerminalUI
import TraceAnalysis
import TraceFormat

/// When each subscription of a log was alive: what drawing asks of all of them, without the rest of what is known.
struct LifeSpans: Sendable {
  struct Span: Sendable {
    let start: Nanoseconds
    /// Its end, or the end of its log while it is active.
    let last: Nanoseconds
    let state: Lifecycle.State
    let isUnexpectedlyActive: Bool
  }

  /// By place in `LogAnalysis.lifecycles`.
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

  /// Places in the order of the beginnings; those of one time as they come in the log.
  func inOrder(_ members: [Int]) -> [Int] {
    let isBefore = { (left: Int, right: Int) -> Bool in
      (spans[left].start, left) < (spans[right].start, right)
    }
    // They nearly always are already.
    let isSorted = zip(members, members.dropFirst()).allSatisfy { isBefore($0, $1) }
    return isSorted ? members : members.sorted(by: isBefore)
  }
}
