import TraceAnalysis
import TraceFormat

extension RuleSettings {
  /// Creates the settings for the rules from the settings of a project.
  init(_ settings: ProjectSettings) {
    self.init()
    for (id, rule) in settings.rules {
      if let level = rule.level { levels[id] = level }
      if !rule.thresholds.isEmpty { thresholds[id] = rule.thresholds }
    }
    limits = settings.maxActive.map { Limit(lanes: $0.lane, most: $0.count) }
    allowances = settings.allowed.map { Allowance(lanes: $0.lane, source: $0.source) }
    mainLanes = settings.main
  }
}
