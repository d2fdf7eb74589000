import TraceAnalysis
import TraceFormat

/// What a project wants of its logs, from the settings file, from the command line, or from one laid over the other.
/// What nobody said is `nil` or empty.
struct ProjectSettings: Equatable, Sendable {
  typealias FailOn = Verdict.FailOn
  typealias Level = RuleLevel

  struct Rule: Equatable, Sendable {
    var level: Level?
    /// Numbers of 0 or more.
    var thresholds: [String: Double] = [:]
  }

  /// How many subscriptions of a lane may be active at a time.
  struct MaxActive: Equatable, Sendable {
    var lane: GlobPattern
    var count: Int
  }

  /// Subscriptions that no finding is made of.
  struct Allowance: Equatable, Sendable {
    var lane: GlobPattern
    /// Of the place in the source; any where it is `nil`.
    var source: GlobPattern?
    var reason: String?
  }

  var failOn: FailOn?
  var rules: [String: Rule] = [:]
  /// In the order given: the last that fits a lane counts.
  var maxActive: [MaxActive] = []
  var allowed: [Allowance] = []
  /// Lanes whose elements belong on the main thread.
  var main: [GlobPattern] = []
  /// The path of the baseline, as the file system takes it.
  var baseline: String?

  /// Lays `later` over these settings: what it says counts, lists of both are joined.
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
