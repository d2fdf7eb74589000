import TraceFormat

/// A rule that finds tasks that wait for a continuation that nothing can resume.
struct LostContinuation: Rule {
  static let id = "lost-continuation"

  var id: String { Self.id }
  var level: RuleLevel { .error }

  var summary: String {
    "A task waits for a continuation that nothing can resume."
  }

  var advice: String {
    "Resume the continuation exactly once on each path, also on those that fail or are canceled."
  }

  var explanation: String {
    """
    A task waits until somebody resumes its continuation. When the log ended, the process looked \
    through its own memory. Nothing that can still run has the continuation: no variable, no \
    thread, no object that is in use, and no other task that can continue. So the task waits \
    forever, and everything that it has captured stays in memory. Often, the continuation was \
    dropped: a callback was never stored or never called, or an early return skipped the call of \
    resume.

    The finding names the line of the await. Resume the continuation on each path, also if the \
    work fails, is canceled or is replaced by newer work. withCheckedContinuation reports a \
    dropped continuation on the console while the program runs.

    The finding is proven only if no address could be overlooked. While a thread runs code of the \
    program, its registers can't be read, so the finding is then only probable. A continuation \
    that a timer, a queue or an object in use still has isn't reported.
    """
  }

  private static let lost: FindingMessage = "waits for a continuation that nothing can resume"
  private static let probablyLost: FindingMessage =
    "probably waits for a continuation that nothing can resume"
  private static let onlyItself: FindingMessage =
    "waits for a continuation that only the task itself has"
  private static let probablyOnlyItself: FindingMessage =
    "probably waits for a continuation that only the task itself has"

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    log.judgedTasks.compactMap { index, task in
      let message: FindingMessage
      switch task.reach {
      case .lost: message = task.isCertain ? Self.lost : Self.probablyLost
      case .itself where task.pause != .stream:
        message = task.isCertain ? Self.onlyItself : Self.probablyOnlyItself
      case .itself, .open, .dependent, .circle, nil: return nil
      }
      return Finding(
        self, index, task.isCertain ? .always : .never, log.message(message, index, task))
    }
  }
}
