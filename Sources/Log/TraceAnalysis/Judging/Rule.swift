package import TraceFormat

/// A rule that finds one kind of problem in logs.
///
/// A rule is one small type in one file; `RuleBook` lists it.
package protocol Rule: Sendable {
  /// The name in reports, settings and baselines.
  var id: String { get }
  var level: RuleLevel { get }
  /// The problem that the rule finds, in one sentence.
  var summary: String { get }
  /// The meaning of the problem, its causes and its remedies, in paragraphs with empty lines
  /// between them.
  var explanation: String { get }
  /// The remedy, in one line: the gist of the explanation.
  var advice: String { get }
  /// Returns the remedy for subscriptions of a library, or those of ReactiveKit.
  func advice(for library: LogFormat.StreamLibrary?) -> String
  /// A Boolean value that indicates whether the rule's findings include what keeps the subscription
  /// alive.
  var asksForRetention: Bool { get }
  var thresholds: [RuleThreshold] { get }
  /// The option that specifies where the rule looks, or nil. Without it, the rule doesn't find
  /// anything.
  var requiredOption: RuleOption? { get }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding]
}

extension Rule {
  var asksForRetention: Bool { false }
  package func advice(for library: LogFormat.StreamLibrary?) -> String { advice }
  package var thresholds: [RuleThreshold] { [] }
  package var requiredOption: RuleOption? { nil }

  /// Returns a threshold from the settings, or its default value.
  ///
  /// A value is limited to a billion, which no number of elements or seconds reaches, so that it
  /// fits an integer in any unit.
  func value(of threshold: RuleThreshold, _ settings: RuleSettings) -> Double {
    min(settings.thresholds[id]?[threshold.name] ?? threshold.value, 1e9)
  }

  /// Returns a threshold that counts things.
  func count(of threshold: RuleThreshold, _ settings: RuleSettings) -> Int {
    Int(clamping: Int64(value(of: threshold, settings)))
  }
}

/// The severity of a finding.
package enum RuleLevel: String, CaseIterable, Comparable, Sendable {
  case error, warning, off

  package static func < (left: RuleLevel, right: RuleLevel) -> Bool {
    (allCases.firstIndex(of: left) ?? 0) > (allCases.firstIndex(of: right) ?? 0)
  }
}

/// A number that a rule uses and that the user may set: `growth.min=3`.
package struct RuleThreshold: Sendable {
  package let name: String
  package let value: Double
  /// The unit of the number: `seconds`, `elements`.
  package let unit: String
  package let meaning: String
}

/// An option of the command line that belongs to a rule: `--main=LANE`.
package struct RuleOption: Sendable {
  package let text: String
  package let meaning: String
}

/// The user's settings for the rules.
package struct RuleSettings: Equatable, Sendable {
  /// The maximum number of subscriptions that a lane with a matching name may have at once.
  package struct Limit: Equatable, Sendable {
    package let lanes: GlobPattern
    package let maxCount: Int

    package init(lanes: GlobPattern, maxCount: Int) {
      self.lanes = lanes
      self.maxCount = maxCount
    }
  }

  /// A pattern of findings that the user allows.
  package struct Allowance: Equatable, Sendable {
    package let lanes: GlobPattern
    /// A pattern of source locations, with or without the line; nil for any location. It matches
    /// nothing with an unknown location.
    package let source: GlobPattern?

    package init(lanes: GlobPattern, source: GlobPattern? = nil) {
      self.lanes = lanes
      self.source = source
    }
  }

  package var levels: [String: RuleLevel] = [:]
  /// The thresholds by rule and name.
  package var thresholds: [String: [String: Double]] = [:]
  package var limits: [Limit] = []
  package var allowances: [Allowance] = []
  /// The patterns of the lanes that must deliver on the main thread.
  package var mainLanes: [GlobPattern] = []

  package init() {}

  package func level(of rule: any Rule) -> RuleLevel { levels[rule.id] ?? rule.level }

  func allows(_ site: Site) -> Bool {
    allowances.contains { allowance in
      guard allowance.lanes.matches(site.lane) else { return false }
      guard let pattern = allowance.source else { return true }
      return [site.source, site.file].contains { $0.map(pattern.matches) ?? false }
    }
  }
}
