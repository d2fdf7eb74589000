import TraceFormat

/// A rule that finds subscriptions with events after their end.
struct AfterEnd: Rule {
  var id: String { "after-end" }
  var level: RuleLevel { .error }

  var summary: String {
    "A subscription had an event after its end."
  }

  var advice: String {
    "Make the producer stop after completed, failed or dispose."
  }

  var explanation: String {
    """
    A signal ends once, with completed, failed or disposed, and nothing follows. Here, a record is \
    later than the end of its subscription, or there are two ends. An operator or a source of your \
    own breaks the rule, or the recorder has a bug.

    Look upstream of the lane for a producer that continues after completed or after it was \
    disposed. If you have no such producer, please report a bug and attach the log.
    """
  }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    log.lifecycles.indices.compactMap { index in
      let lifecycle = log.lifecycles[index]
      guard lifecycle.hasEventsAfterEnd, let end = lifecycle.end else { return nil }
      let sentence: FindingMessage =
        if lifecycle.last.time > end {
          """
          \(lifecycle.last.kind.rawValue) at \(lifecycle.last.time), \
          \(lifecycle.last.time.since(end)) after it was \("\(lifecycle.state)")
          """
        } else {
          "ended twice at \(end)"
        }
      return Finding(self, index, .always, sentence)
    }
  }
}
