import TraceFormat

/// A rule that finds elements delivered on a thread other than the main thread.
struct OffMainThread: Rule {
  var id: String { "off-main" }
  var level: RuleLevel { .warning }
  var requiredOption: RuleOption? {
    RuleOption(text: "--main=LANE", meaning: "Require a lane to be on the main thread.")
  }

  var summary: String {
    "A lane that should deliver on the main thread delivered on another thread."
  }

  var advice: String {
    "Add receive(on: DispatchQueue.main) before the lane."
  }

  var explanation: String {
    """
    The settings require this lane to deliver on the main thread (--main LANE, or main in the \
    settings file), but elements came on another thread. The main thread may use the same data at \
    that moment.

    Add receive(on: DispatchQueue.main) or receive(on: ExecutionContext.main) before the lane.
    """
  }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    guard !settings.mainLanes.isEmpty else { return [] }
    return log.lifecycles.indices.compactMap { index in
      let lifecycle = log.lifecycles[index]
      guard lifecycle.elsewhere > 0, let location = lifecycle.firstElsewhere,
        settings.mainLanes.contains(where: { $0.matches(lifecycle.site.lane) })
      else { return nil }
      return Finding(
        self, index, .always,
        """
        \(count: Int(lifecycle.elsewhere), "element") of \(lifecycle.elements) on another thread, \
        the first in line \(location.line) of \(log.files[location.file].name)
        """
      )
    }
  }
}
