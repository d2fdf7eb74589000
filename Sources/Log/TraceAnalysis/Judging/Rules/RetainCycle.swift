import TraceFormat

/// A rule that finds subscriptions and objects that a retain cycle keeps alive.
struct RetainCycle: Rule {
  static let id = "retain-cycle"

  var id: String { Self.id }
  var level: RuleLevel { .error }
  var asksForRetention: Bool { true }

  var summary: String {
    "A retain cycle keeps a subscription or objects alive."
  }

  var advice: String {
    "Capture self weakly in the closure: [weak self]."
  }

  var explanation: String {
    """
    The subscription holds a closure, the closure holds an object, and the object holds the \
    subscription, usually through its dispose bag. None of them can be freed while the others are \
    alive. The process looked at its own memory and found the cycle, so the finding is certain \
    even if the process still ran or was killed later. A cycle is only probable if a step of it \
    was found by looking for words that may be pointers. Such a leak is reported as undisposed, \
    with the cycle below it.

    The steps of the cycle are below the finding. Each one holds the next, and the last one holds \
    the first. Break the step that is marked: usually, capture self weakly in the closure \
    ({ [weak self] in ... }). Otherwise, dispose the subscription when its owner is done, or end \
    it together with its owner: take(until:).

    A subscription that a cycle keeps alive is not reported as undisposed a second time. Neither \
    are others that are alive only because of it: they leak with it.

    With trace-viewer run --leaks and trace-viewer leaks, the rule also finds cycles of any \
    objects that nothing else in the process leads to. Cycles with the same steps are one finding.
    """
  }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    guard log.logs.contains(where: { !$0.retentions.isEmpty }) else { return [] }
    return objects(in: log) + subscriptions(in: log)
  }

  private func objects(in log: LogAnalysis) -> [Finding] {
    log.leakedObjects.compactMap { index, objects in
      guard let cycle = log.retention(of: index), cycle.isCycle, !cycle.isProbable else {
        return nil
      }
      return Finding(self, index, retention: cycle, .always, Self.message(objects))
    }
  }

  private static func message(_ objects: LeakedObjects) -> FindingMessage {
    let cycles: FindingMessage =
      objects.count == 1 ? "a cycle" : "\(objects.count) cycles with the same steps"
    let verb = objects.count == 1 ? "keeps" : "keep"
    return """
      \(cycles) \(verb) \(count: objects.objectCount, "object") alive, which nothing else leads \
      to: \(count: objects.bytes, "byte")
      """
  }

  private func subscriptions(in log: LogAnalysis) -> [Finding] {
    Undisposed.roots(in: log).compactMap { root, consequences in
      // A cycle may also go through a subscription upstream that retains the root. A probable one
      // doesn't prove anything: it is shown below the finding that the subscription was not
      // disposed.
      let cycle = ([root] + consequences).lazy.compactMap { log.retention(of: $0) }
        .first { $0.isCycle && !$0.isProbable }
      guard let cycle else { return nil }
      let age = log.age(of: log.lifecycles[root])
      return Finding(
        self, root, consequences: consequences, retention: cycle, .withoutHoles,
        "kept alive by a retain cycle for \(age)")
    }
  }
}
