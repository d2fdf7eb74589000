import TraceFormat

/// A rule that finds subscriptions with more elements in one second than the `count` threshold.
struct Burst: Rule {
  var id: String { "burst" }
  var level: RuleLevel { .warning }

  var summary: String {
    "A subscription got a very large number of elements within a second."
  }

  var advice: String {
    "Add debounce, throttle or removeDuplicates, or end the feedback loop."
  }

  var explanation: String {
    """
    A screen cannot show this many elements in a second, and a server should not get this many \
    requests. Often a feedback loop feeds a signal with its own effects, or a debounce, throttle \
    or removeDuplicates is missing.

    count is the largest number of elements in a second that is not reported. If a lane is meant \
    to have such a rate, allow it: --allow LANE.
    """
  }

  private static let maxCount = RuleThreshold(
    name: "count", value: 10_000, unit: "elements",
    meaning: "the largest accepted number of elements in a second")

  var thresholds: [RuleThreshold] { [Self.maxCount] }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    let limit = count(of: Self.maxCount, settings)
    return log.lifecycles.positions { $0.rate.count > limit }.map { index in
      let peakRate = log.lifecycles[index].peakRate
      let begin = Nanoseconds(UInt64(peakRate.second) * 1_000_000_000)
      let offset = log.logs[Int(log.lifecycles[index].log)].offset
      return Finding(
        self, index, .always,
        "\(count: peakRate.count, "element") in the second that begins at \(begin.after(offset))")
    }
  }
}
