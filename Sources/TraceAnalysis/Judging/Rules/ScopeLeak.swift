import TraceFormat

/// A rule that finds subscriptions that are alive when the scope they were made in ends.
struct ScopeLeak: Rule {
  var id: String { "scope-leak" }
  var level: RuleLevel { .error }

  var summary: String {
    "A subscription outlived the scope that it was made in."
  }

  var explanation: String {
    """
    A scope names a part of the program's run, such as a screen, a request or a test. Subscriptions that are made in it \
    should be disposed by its end. This subscription was active when its scope ended, even if it ended later.

    Dispose it together with what the scope stands for. If it is meant to outlive the scope, subscribe outside the scope, or \
    declare that it lives until exit: .lane("name", lifetime: .process).

    The end of the scope is in the log, so the finding is certain even if the process was killed.
    """
  }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    log.lifecycles.indices.compactMap { index in
      let lifecycle = log.lifecycles[index]
      guard !lifecycle.livesUntilExit, let scope = log.scope(of: lifecycle), let end = scope.end,
        lifecycle.isAlive(at: end)
      else { return nil }
      let name = scope.name ?? "\(scope.number)"
      let sentence: FindingMessage =
        if let ended = lifecycle.end {
          "outlived its scope \(name) by \(ended.since(end))"
        } else {
          "still active \(log.logs[Int(lifecycle.log)].lastTime.since(end)) after its scope \(name) ended"
        }
      return Finding(self, index, .withoutHoles, sentence)
    }
  }
}
