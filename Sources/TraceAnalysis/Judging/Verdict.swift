import TraceFormat

/// What logs prove.
package struct Verdict: Sendable {
  package enum Outcome: Equatable, Sendable {
    case clean, findings, inconclusive
  }

  /// A reason why a log proves nothing about what is not in it.
  package enum Doubt: Equatable, Sendable {
    /// The process never wrote the end of its log.
    case noEnd
    /// The log goes on in another file, which is not here.
    case continues
    /// The recorder could not write this many records.
    case lost(UInt64)
    /// The recorder counted this many records more than the log has.
    case missing(UInt64)
    /// The log has this many records more than the recorder counted: another one is mixed into it.
    case extra(UInt64)
    /// This many lines are no records.
    case skipped(Int)
    /// This many numbers are those of several subscriptions, whose records nobody can tell apart.
    case reused(Int)
    /// A compressed file is cut short or damaged, or has something else behind its end.
    case unpackedInPart
  }

  /// From which findings on a run fails.
  package enum FailOn: String, CaseIterable, Sendable {
    case error, warning
    /// Whatever was found, also what an incomplete log does not prove.
    case any

    package func isFailed(by finding: Finding) -> Bool {
      switch self {
      case .error: finding.isProven && finding.level == .error
      case .warning: finding.isProven
      case .any: true
      }
    }
  }

  /// By rule, in the order of the rule book. What `settings` allow is not among them.
  package let findings: [Finding]
  /// How many findings the settings allow.
  package let allowed: Int
  /// The rules that were applied.
  package let rules: Set<String>
  private let settings: RuleSettings
  /// The doubts about each log.
  package let doubts: [[Doubt]]

  package init(
    _ log: LogAnalysis, _ settings: RuleSettings = RuleSettings(),
    rules: [any Rule] = RuleBook.rules
  ) {
    let doubts = log.logs.map(Verdict.doubts)
    var findings: [Finding] = []
    var allowed = 0
    for rule in rules {
      let level = settings.level(of: rule)
      guard level > .off else { continue }
      for var finding in rule.findings(in: log, settings) {
        let lifecycle = log.lifecycles[finding.lifecycle]
        guard !settings.allows(lifecycle.site) else {
          allowed += 1
          continue
        }
        finding.level = level
        finding.isProven = finding.proof.holds(despite: doubts[Int(lifecycle.log)])
        findings.append(finding)
      }
    }
    self.findings = findings
    self.allowed = allowed
    self.rules = Set(rules.filter { settings.level(of: $0) > .off }.map(\.id))
    self.settings = settings
    self.doubts = doubts
  }

  /// Whether findings of such a place would have been found: its rule was applied, and no setting allows them.
  package func covers(_ place: Fingerprint) -> Bool {
    rules.contains(place.rule)
      && !settings.allows(
        Site(
          lane: place.lane, source: place.file.isEmpty ? nil : place.file, function: place.function)
      )
  }

  /// - Parameter findings: those that count; all but what a baseline knows.
  package func outcome(of findings: [Finding]? = nil, failOn: FailOn = .error) -> Outcome {
    if (findings ?? self.findings).contains(where: failOn.isFailed) { return .findings }
    return isWhole ? .clean : .inconclusive
  }

  /// Whether there is no doubt about any log.
  package var isWhole: Bool { doubts.allSatisfy(\.isEmpty) }

  package var outcome: Outcome { outcome() }

  private static func doubts(about log: TraceLog) -> [Doubt] {
    var doubts: [Doubt] = []
    if log.end == nil { doubts.append(log.continues ? .continues : .noEnd) }
    if log.lost > 0 { doubts.append(.lost(log.lost)) }
    if log.missing > 0 { doubts.append(.missing(log.missing)) }
    if log.extra > 0 { doubts.append(.extra(log.extra)) }
    if log.uncountedSkips > 0 { doubts.append(.skipped(log.uncountedSkips)) }
    if log.reusedNumbers > 0 { doubts.append(.reused(log.reusedNumbers)) }
    if log.isUnpackedInPart { doubts.append(.unpackedInPart) }
    return doubts
  }
}
