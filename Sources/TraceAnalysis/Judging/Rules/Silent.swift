import TraceFormat

/// A rule that finds subscriptions that live for long and never get an element.
struct Silent: Rule {
  var id: String { "silent" }
  var level: RuleLevel { .warning }

  var summary: String {
    "A subscription lived for long and never got an element."
  }

  var explanation: String {
    """
    Nothing ever came, and the signal neither completed nor failed: its source may have been freed, never have been \
    started, or wait for something that does not happen (a combineLatest one of whose sources is silent, a filter \
    that nothing passes).

    Look at what is upstream of the lane; lanes between its operators show where the elements stop. A signal that is \
    expected to be silent can be allowed: --allow LANE.

    after is how long a subscription may live without an element.
    """
  }

  private static let longest = RuleThreshold(
    name: "after", value: 60, unit: "seconds",
    meaning: "how long a subscription may live without an element")

  var thresholds: [RuleThreshold] { [Self.longest] }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    let limit = Nanoseconds(UInt64(clamping: Int64(value(of: Self.longest, settings) * 1e9)))
    return log.lifecycles.indices.compactMap { index in
      let lifecycle = log.lifecycles[index]
      // A subscription that ends by itself is not silent.
      guard lifecycle.elements == 0, lifecycle.state != .completed, lifecycle.state != .failed,
        lifecycle.isWhole, log.age(of: lifecycle) > limit
      else { return nil }
      return Finding(
        self, index, .wholeLog, "no element in \(log.age(of: lifecycle))")
    }
  }
}
