import TraceFormat

/// A rule that finds subscriptions that are alive when the scope they were made in ends.
struct ScopeLeak: Rule {
  static let id = "scope-leak"

  var id: String { Self.id }
  var level: RuleLevel { .error }
  var asksForRetention: Bool { true }

  var summary: String {
    "A subscription outlived the scope that it was made in."
  }

  var advice: String { advice(for: nil) }

  func advice(for library: LogFormat.StreamLibrary?) -> String {
    "\(EndWords(library).endIt) before its scope ends, or subscribe outside the scope."
  }

  var explanation: String {
    """
    A scope names a part of the program's run, such as a screen, a request or a test. \
    Subscriptions that are made in it should be disposed by its end. This subscription was active \
    when its scope ended, even if it ended later.

    Dispose it together with what the scope stands for. If it is meant to outlive the scope, \
    subscribe outside the scope, or declare that it lives until exit: .lane("name", lifetime: \
    .process).

    The end of the scope is in the log, so the finding is certain even if the process was killed. \
    If the process ended normally and the subscription was still active, it is reported as \
    undisposed, and not a second time here.
    """
  }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    let found = log.lifecycles.indices.filter { end(log.lifecycles[$0], log) != nil }
    // Disposing a subscription also disposes those that were made for it, regardless of their
    // scope.
    return LeakRoots.of(found, in: log).compactMap { index, consequences in
      let lifecycle = log.lifecycles[index]
      guard let (scope, end) = end(lifecycle, log) else { return nil }
      let name = scope.name ?? "\(scope.number)"
      let sentence: FindingMessage =
        if let ended = lifecycle.end {
          "outlived its scope \(name) by \(ended.since(end))"
        } else {
          """
          still active \(log.logs[Int(lifecycle.log)].lastTime.since(end)) after its scope \(name) \
          ended
          """
        }
      return Finding(self, index, consequences: consequences, .withoutHoles, sentence)
    }
  }

  /// Returns the scope that a subscription outlived, if any, and the time at which the scope ended.
  private func end(
    _ lifecycle: Lifecycle, _ log: LogAnalysis
  ) -> (scope: LogScope, end: Nanoseconds)? {
    guard !lifecycle.livesUntilExit, let scope = log.scope(of: lifecycle), let end = scope.end,
      lifecycle.isAlive(at: end)
    else { return nil }
    return (scope, end)
  }
}
