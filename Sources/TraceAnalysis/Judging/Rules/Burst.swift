import TraceFormat

/// A rule that finds subscriptions with more elements in one second than the `count` threshold.
struct Burst: Rule {
  var id: String { "burst" }
  var level: RuleLevel { .warning }

  var summary: String {
    "A subscription got very many elements within a second."
  }

  var explanation: String {
    """
    So many elements in one second are more than a screen can show or a server should be asked. Often a feedback loop \
    feeds a signal with what it has caused, or a debounce, throttle or removeDuplicates is missing.

    count is how many elements a second are too many. Lanes for which such a rate is meant can be allowed: --allow LANE.
    """
  }

  private static let most = RuleThreshold(
    name: "count", value: 10_000, unit: "elements",
    meaning: "how many elements in one second are too many")

  var thresholds: [RuleThreshold] { [Self.most] }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    let limit = count(of: Self.most, settings)
    return log.lifecycles.indices.compactMap { index in
      let pulse = log.lifecycles[index].pulse
      guard pulse.most > limit else { return nil }
      let begin = Nanoseconds(UInt64(pulse.second) * 1_000_000_000)
      let offset = log.logs[Int(log.lifecycles[index].log)].offset
      return Finding(
        self, index, .always,
        "\(count: pulse.most, "element") in the second from \(begin.after(offset)) on")
    }
  }
}
