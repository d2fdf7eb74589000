import TraceFormat

/// A rule that finds subscriptions that are alive for a long time and never get an element.
struct Silent: Rule {
  var id: String { "silent" }
  var level: RuleLevel { .warning }

  var summary: String {
    "A subscription lived for a long time and never got an element."
  }

  var advice: String {
    "Look upstream for a source that never started; more lanes show where elements stop."
  }

  var explanation: String {
    """
    No element ever came, and the signal neither completed nor failed. Its source may have been \
    freed or never started, or it waits for something that does not happen, such as a \
    combineLatest with one silent source, or a filter that rejects everything.

    Look upstream of the lane. More lanes between its operators show where the elements stop. If a \
    signal is expected to be silent, allow it: --allow LANE.

    after is the time that a subscription may live without an element.
    """
  }

  private static let longest = RuleThreshold(
    name: "after", value: 60, unit: "seconds",
    meaning: "the time that a subscription may live without an element")

  var thresholds: [RuleThreshold] { [Self.longest] }

  private static let message: FindingMessage = "no element in \(Nanoseconds.zero)"

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    let limit = Nanoseconds(UInt64(clamping: Int64(value(of: Self.longest, settings) * 1e9)))
    // A subscription that ends by itself is not silent. A task has no elements.
    let quiet = log.lifecycles.positions {
      $0.elements == 0 && $0.state != .completed && $0.state != .failed && $0.isWhole
        && $0.isOfLane
    }
    return quiet.compactMap { index in
      let age = log.age(of: log.lifecycles[index])
      return age > limit
        ? Finding(self, index, .wholeLog, FindingMessage(Self.message, age.count)) : nil
    }
  }
}
