import TraceFormat

/// A rule that finds subscriptions with events after their end.
struct AfterEnd: Rule {
  var id: String { "after-end" }
  var level: RuleLevel { .error }

  var summary: String {
    "Something happened to a subscription after it had ended."
  }

  var explanation: String {
    """
    A signal ends once, with completed, failed or disposed, and nothing comes after that. Here a record has a later time than \
    the end of its subscription, or there are two ends: an operator or a source of your own breaks the rule, \
    or the tracer is broken.

    Look at the upstream of the lane for a producer that goes on after completed or after it was disposed. If there is none of \
    your own, please report it with the log.
    """
  }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    log.lifecycles.indices.compactMap { index in
      let lifecycle = log.lifecycles[index]
      guard lifecycle.goesOnAfterEnd, let end = lifecycle.end else { return nil }
      let sentence: FindingMessage =
        if lifecycle.last.time > end {
          "\(lifecycle.last.kind.rawValue) at \(lifecycle.last.time), \(lifecycle.last.time.since(end)) after it was \("\(lifecycle.state)")"
        } else {
          "ended twice at \(end)"
        }
      return Finding(self, index, .always, sentence)
    }
  }
}
