import TraceFormat

/// A rule that finds deliveries that were probably in progress when the process died.
struct Stalled: Rule {
  var id: String { "stalled" }
  var level: RuleLevel { .warning }

  var summary: String {
    "A delivery was probably under way when the log stopped."
  }

  var explanation: String {
    """
    The process never wrote the end of its log, and the last thing that a thread did was to deliver an element of this \
    subscription, which never arrived at the lane downstream of it though all those before it had. What stands \
    between the two lanes may hang, or have crashed the process.

    Look at the operators between the two. If the process was killed at a moment when nothing was wrong, it means nothing.

    min is how many elements must have arrived before, so that a debounce or a filter is not taken for a hang.
    """
  }

  private static let least = RuleThreshold(
    name: "min", value: 3, unit: "elements",
    meaning: "how many elements must have arrived before, one by one")

  var thresholds: [RuleThreshold] { [Self.least] }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    let least = count(of: Self.least, settings)
    return log.logs.indices.flatMap { number -> [Finding] in
      guard log.logs[number].end == nil, !log.logs[number].continues else { return [] }
      return log.logs[number].tails.all.compactMap { thread, tail in
        guard let index = log.index(of: tail.subscription, log: number) else { return nil }
        let lifecycle = log.lifecycles[index]
        guard tail.kind == .next, lifecycle.isActive, let parent = log.parent(of: lifecycle),
          log.lifecycles[parent].isActive,
          log.lifecycles[parent].elements + 1 == lifecycle.elements,
          log.lifecycles[parent].elements >= least
        else { return nil }
        let lane = log.lifecycles[parent].site.lane
        return Finding(
          self, index, others: [parent], .withoutHoles,
          "element \(lifecycle.elements) at \(lifecycle.last.time) on thread \(name(thread, log.logs[number])) never arrived at \(lane)"
        )
      }
    }
  }

  private func name(_ thread: UInt64, _ log: TraceLog) -> String {
    log.threads[thread] ?? "\(thread)"
  }
}
