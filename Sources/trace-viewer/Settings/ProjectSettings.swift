import TraceAnalysis
import TraceFormat

/// The settings of a project for its logs, from the settings file, from the command line, or from
/// both. Unset values are `nil` or empty.
struct ProjectSettings: Equatable, Sendable {
  typealias FailOn = Verdict.FailOn
  typealias Level = RuleLevel

  struct Rule: Equatable, Sendable {
    var level: Level?
    /// The thresholds, which are numbers of 0 or more.
    var thresholds: [String: Double] = [:]
  }

  /// The maximum number of active subscriptions of a lane at a time.
  struct MaxActive: Equatable, Sendable {
    var lane: GlobPattern
    var count: Int
  }

  /// Subscriptions that are exempt from findings.
  struct Allowance: Equatable, Sendable {
    var lane: GlobPattern
    /// The pattern of the source location, or `nil` for any.
    var source: GlobPattern?
    var reason: String?
  }

  var failOn: FailOn?
  var rules: [String: Rule] = [:]
  /// The limits in the given order. The last one that matches a lane wins.
  var maxActive: [MaxActive] = []
  var allowed: [Allowance] = []
  /// The lanes whose elements belong on the main thread.
  var main: [GlobPattern] = []
  /// The path of the baseline for the file system.
  var baseline: String?

  /// Overrides these settings with later ones. Lists of both are joined.
  mutating func lay(_ later: ProjectSettings) {
    failOn = later.failOn ?? failOn
    baseline = later.baseline ?? baseline
    for (id, rule) in later.rules {
      rules[id, default: Rule()].level = rule.level ?? rules[id]?.level
      rules[id, default: Rule()].thresholds.merge(rule.thresholds) { $1 }
    }
    maxActive += later.maxActive
    allowed += later.allowed
    main += later.main
  }
}
