import TraceFormat

/// A rule that finds tasks that were canceled and wait nevertheless.
struct CancelledButRunning: Rule {
  static let id = "cancelled-but-running"

  var id: String { Self.id }
  var level: RuleLevel { .warning }

  var summary: String {
    "A task was canceled, but still waits."
  }

  var advice: String {
    "Resume the continuation when the task is canceled: withTaskCancellationHandler."
  }

  var explanation: String {
    """
    Canceling a task only sets a flag. What the task waits for has to notice that. This task was \
    canceled, and a moment later it still waited for the same thing. Usually, it waits for a \
    continuation that nobody resumes when the task is canceled, or for the value of a task that \
    isn't canceled with it.

    Use withTaskCancellationHandler around withCheckedContinuation, and resume the continuation in \
    the handler. Cancel the other task, too, if it only works for this one.

    If nothing can resume the continuation anymore, the task is reported as lost-continuation \
    instead.
    """
  }

  var thresholds: [RuleThreshold] { [Self.grace] }
  private static let grace = RuleThreshold(
    name: "grace", value: 0.1, unit: "seconds",
    meaning: "time that a canceled task may take to continue")

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    let grace = UInt64(value(of: Self.grace, settings) * 1e9)
    return log.judgedTasks.compactMap { index, task in
      guard let canceled = task.canceled, canceled >= grace, task.state == .waiting,
        task.reach == nil || task.reach == .open
      else { return nil }
      switch task.wait {
      case .continuation:
        return finding("canceled, but still waits for a continuation", index, task, log)
      case .task:
        // The runtime cancels the children of a task with it, so they have findings of their own.
        guard !log.awaitsChild(index, task) else { return nil }
        return finding("canceled, but still waits for another task", index, task, log)
      case .group, .executor, nil: return nil
      }
    }
  }

  private func finding(
    _ words: FindingMessage, _ index: Int, _ task: UnfinishedTask, _ log: LogAnalysis
  ) -> Finding {
    let time = Nanoseconds(task.canceled ?? 0)
    return Finding(self, index, .always, log.message("\(words) after \(time)", index, task))
  }
}

extension LogAnalysis {
  /// Reports whether a task waits for one that was made for it.
  fileprivate func awaitsChild(_ index: Int, _ task: UnfinishedTask) -> Bool {
    task.awaited.contains { id in
      self.index(of: id, log: log(of: index)).map { parent(of: $0) == index } ?? false
    }
  }
}
