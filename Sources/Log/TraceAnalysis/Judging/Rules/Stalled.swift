import TraceFormat

/// A rule that finds deliveries that were probably in progress when the process died.
struct Stalled: Rule {
  var id: String { "stalled" }
  var level: RuleLevel { .warning }

  var summary: String {
    "A delivery was probably in progress when the log stopped."
  }

  var advice: String {
    "Look for a hang or a crash in the operators between the two lanes."
  }

  var explanation: String {
    """
    The process did not write the end of its log. The last action of a thread was to deliver an \
    element of this subscription. That element never arrived at the lane downstream, although all \
    previous elements did. The code between the two lanes may hang, or it may have crashed the \
    process.

    Look at the operators between the two lanes. If the process was killed at a random moment, the \
    finding means nothing.

    min is the smallest number of elements that must have arrived before, so that a debounce or a \
    filter is not mistaken for a hang.
    """
  }

  private static let minCount = RuleThreshold(
    name: "min", value: 3, unit: "elements",
    meaning: "the smallest number of elements that arrived before")

  var thresholds: [RuleThreshold] { [Self.minCount] }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    let minCount = count(of: Self.minCount, settings)
    return log.logs.indices.flatMap { number -> [Finding] in
      guard log.logs[number].end == nil, !log.logs[number].continues else { return [] }
      return log.logs[number].tails.all.compactMap { thread, tail in
        guard let index = log.index(of: tail.subscription, log: number) else { return nil }
        let lifecycle = log.lifecycles[index]
        guard tail.kind == .next, lifecycle.isActive, let parent = log.parent(of: lifecycle),
          log.lifecycles[parent].isActive,
          log.lifecycles[parent].elements + 1 == lifecycle.elements,
          log.lifecycles[parent].elements >= minCount
        else { return nil }
        let lane = log.lifecycles[parent].site.lane
        return Finding(
          self, index, others: [parent], .withoutHoles,
          """
          element \(lifecycle.elements) at \(lifecycle.last.time) on thread \
          \(name(thread, log.logs[number])) never arrived at \(lane)
          """
        )
      }
    }
  }

  private func name(_ thread: UInt64, _ log: TraceLog) -> String {
    log.threads[thread] ?? "\(thread)"
  }
}
