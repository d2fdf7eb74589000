/// A rule that finds subscriptions that were released without an end.
struct Abandoned: Rule {
  var id: String { "abandoned" }
  var level: RuleLevel { .warning }

  var summary: String {
    "A subscription was let go without being disposed, and without an end of its own."
  }

  var explanation: String {
    """
    Nothing holds this subscription any more, neither its source nor who observed it, yet it never completed, failed or \
    was disposed. No memory is leaked, but nobody downstream was told that it is over: what waits for its end \
    waits for ever.

    Mostly a subject was freed before it completed. Complete it, or dispose what observes it.
    """
  }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    log.lifecycles.indices.filter { log.lifecycles[$0].state == .released }.map { index in
      let lifecycle = log.lifecycles[index]
      return Finding(
        self, index, .always,
        "released at \(lifecycle.end ?? lifecycle.last.time) after \(count: lifecycle.elements, "element"), without an end"
      )
    }
  }
}
