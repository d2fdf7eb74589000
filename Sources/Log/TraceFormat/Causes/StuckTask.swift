/// A task that hasn't ended and that seems unable to end, as the rules for tasks in logs judge it.
package struct StuckTask: Sendable, CustomStringConvertible {
  package enum Reason: Sendable {
    /// Nothing can resume the continuation that it waits for.
    case lostContinuation
    /// Only the task itself has the continuation that it waits for.
    case ownContinuation
    /// Only the task itself keeps the stream alive that it waits for.
    case ownStream
    /// It waits for a task that waits for its end.
    case deadlock
    /// It was canceled, and still waits for a continuation or a task.
    case canceled
  }

  package let task: RunningTask
  package let reason: Reason
  /// A Boolean value that indicates whether no address could be overlooked.
  package let isCertain: Bool

  /// The innermost line of the program at which the task waits, or nil if it is unknown.
  package var source: String? {
    task.callStack.first { !$0.isOfSystem && $0.source != nil }?.source
  }

  package init(task: RunningTask, reason: Reason, isCertain: Bool) {
    self.task = task
    self.reason = reason
    self.isCertain = isCertain
  }

  private var words: String {
    switch reason {
    case .lostContinuation: "waits for a continuation that nothing can resume"
    case .ownContinuation: "waits for a continuation that only the task itself has"
    case .ownStream: "waits for a stream that only the task itself keeps alive"
    case .deadlock: "waits for a task that waits for its end"
    case .canceled: "was canceled, but still waits"
    }
  }

  private var advice: String {
    switch reason {
    case .lostContinuation, .ownContinuation:
      "Resume the continuation exactly once on each path, also on those that fail or are canceled."
    case .ownStream:
      "Capture self weakly in the task, or cancel the task when its owner ends."
    case .deadlock:
      "Don't wait for a task that waits for this one. Pass its result in another way."
    case .canceled:
      "Resume the continuation when the task is canceled: withTaskCancellationHandler."
    }
  }

  /// The task, its functions outside the system, and what to do, on several lines.
  package var description: String {
    let name = task.name.map { " '\($0)'" } ?? ""
    let frames = task.callStack.filter { !$0.isOfSystem }.map { "    \($0)" }
    return (["task #\(task.id)\(name) \(isCertain ? "" : "probably ")\(words)"] + frames + [advice])
      .joined(separator: "\n")
  }
}
