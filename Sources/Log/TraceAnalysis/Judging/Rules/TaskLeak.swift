import TraceFormat

/// A rule that finds tasks that wait for a stream that only they keep alive.
struct TaskLeak: Rule {
  static let id = "task-leak"

  var id: String { Self.id }
  var level: RuleLevel { .error }

  var summary: String {
    "A task waits for a stream that only the task itself keeps alive."
  }

  var advice: String {
    "Capture self weakly in the task, or cancel the task when its owner ends."
  }

  var explanation: String {
    """
    A task waits for the next element of a stream. Only the task itself keeps what could send that \
    element: usually, its closure captures self, and self has the continuation of the stream. \
    Nothing else has a reference to either of them, so the element never comes, and neither the \
    task nor its objects are ever freed.

    Capture self weakly in the task and end the loop when self is nil, or keep the task in its \
    owner's owner and cancel it. Finish the stream when its sender ends.

    A task that is meant to live as long as the process declares that: \
    Trace.task("name", lifetime: .process).
    """
  }

  private static let message: FindingMessage =
    "waits for a stream that only the task itself keeps alive"
  private static let probable: FindingMessage =
    "probably waits for a stream that only the task itself keeps alive"

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    log.judgedTasks.compactMap { index, task in
      guard task.reach == .itself, task.pause == .stream else { return nil }
      return Finding(
        self, index, task.isCertain ? .always : .never,
        log.message(task.isCertain ? Self.message : Self.probable, index, task))
    }
  }
}
