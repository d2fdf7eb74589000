package import TraceFormat

/// Something to find fault with in logs.
///
/// A rule is one small type in one file; `RuleBook` lists it.
package protocol Rule: Sendable {
  /// The name in reports, settings and baselines.
  var id: String { get }
  var level: RuleLevel { get }
  /// What is wrong where the rule finds something, in one sentence.
  var summary: String { get }
  /// What it means, how it comes about and what to do; paragraphs with empty lines between them.
  var explanation: String { get }
  var thresholds: [RuleThreshold] { get }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding]
}

extension Rule {
  package var thresholds: [RuleThreshold] { [] }

  /// A threshold as it was set, or as it is otherwise. What is set beyond all that can happen (a billion elements, or seconds)
  /// counts as that, so that it fits an integer in any unit.
  func threshold(_ name: String, _ settings: RuleSettings) -> Double {
    let number =
      settings.thresholds[id]?[name] ?? thresholds.first { $0.name == name }?.value ?? 0
    return min(number, 1e9)
  }
}

/// How much a finding weighs.
package enum RuleLevel: String, CaseIterable, Comparable, Sendable {
  case error, warning, off

  package static func < (left: RuleLevel, right: RuleLevel) -> Bool {
    (allCases.firstIndex(of: left) ?? 0) > (allCases.firstIndex(of: right) ?? 0)
  }
}

/// A number that a rule goes by, and that its user may set: `growth.min=3`.
package struct RuleThreshold: Sendable {
  package let name: String
  package let value: Double
  /// What is counted: `seconds`, `elements`.
  package let unit: String
  package let meaning: String
}

/// What the user says of the rules.
package struct RuleSettings: Equatable, Sendable {
  /// The most subscriptions that lanes of a pattern may have at once.
  package struct Limit: Equatable, Sendable {
    package let lanes: GlobPattern
    package let most: Int

    package init(lanes: GlobPattern, most: Int) {
      self.lanes = lanes
      self.most = most
    }
  }

  /// Findings that are none.
  package struct Allowance: Equatable, Sendable {
    package let lanes: GlobPattern
    /// A pattern of places in the source, with the line or without; nil for any. It fits nothing whose place is not known.
    package let source: GlobPattern?

    package init(lanes: GlobPattern, source: GlobPattern? = nil) {
      self.lanes = lanes
      self.source = source
    }
  }

  package var levels: [String: RuleLevel] = [:]
  /// By rule and name.
  package var thresholds: [String: [String: Double]] = [:]
  package var limits: [Limit] = []
  package var allowances: [Allowance] = []
  /// Patterns of the lanes that are to deliver on the main thread.
  package var mainLanes: [GlobPattern] = []

  package init() {}

  package func level(of rule: any Rule) -> RuleLevel { levels[rule.id] ?? rule.level }

  package func allows(_ site: Site) -> Bool {
    allowances.contains { allowance in
      guard allowance.lanes.matches(site.lane) else { return false }
      guard let pattern = allowance.source else { return true }
      return [site.source, site.file].contains { $0.map(pattern.matches) ?? false }
    }
  }
}
