import TraceFormat

/// A rule that finds elements delivered on a thread other than the main thread.
struct OffMainThread: Rule {
  var id: String { "thread" }
  var level: RuleLevel { .warning }

  var summary: String {
    "A lane that is to deliver on the main thread delivered elsewhere."
  }

  var explanation: String {
    """
    Someone has declared that this lane delivers on the main thread (--main LANE, or main in the settings), and elements \
    came on another one. What it updates may be used by the main thread at the same moment.

    Put receive(on: DispatchQueue.main) or receive(on: ExecutionContext.main) before the lane.
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
        "\(count: Int(lifecycle.elsewhere), "element") of \(lifecycle.elements) on another thread, the first in line \(location.line) of \(log.files[location.file].name)"
      )
    }
  }
}
