package import TraceFormat

/// The findings in logs, and whether the logs prove them.
package struct Verdict: Sendable {
  package enum Outcome: Equatable, Sendable {
    case clean, findings, inconclusive
  }

  /// A reason why the absence of a record from a log proves nothing.
  package enum Doubt: Equatable, Sendable {
    /// The process never wrote the end of its log.
    case noEnd
    /// The log continues in another file, which was not read.
    case continues
    /// The recorder could not write this many records.
    case lost(UInt64)
    /// A part of the process could not be searched for leaked objects.
    case partlySearched
    /// It isn't known which tasks can continue.
    case unknownTasks(Retention.Limit)
    /// The recorder counted this many more records than the log has.
    case missing(UInt64)
    /// The log has this many more records than the recorder counted: another log is mixed into it.
    case extra(UInt64)
    /// This many lines are not records.
    case skipped(Int)
    /// This many numbers belong to several subscriptions, whose records can't be distinguished.
    case reused(Int)
    /// A compressed file is cut short or damaged, or has other bytes after its end.
    case unpackedInPart
    /// The log replaced this many other logs of the same run, which can no longer be read.
    case replaced(UInt64)
  }

  /// The kind of finding on which a run fails.
  package enum FailOn: String, CaseIterable, Sendable {
    case error, warning
    /// Any finding, including one that an incomplete log does not prove.
    case any

    package func isFailed(by finding: Finding) -> Bool {
      switch self {
      case .error: finding.isProven && finding.level == .error
      case .warning: finding.isProven
      case .any: true
      }
    }
  }

  /// The findings, with the most severe first, and then in the order of the rule book. Findings
  /// that the settings allow are not included.
  package let findings: [Finding]
  /// The findings as users count them, one for each mistake, with the most severe first.
  package let groups: [FindingGroup]
  /// The number of findings, as users count them, the settings allow.
  package let allowed: Int
  /// The fingerprints of findings that only repeat a more precise finding.
  package let repetitions: Set<Fingerprint>
  /// The ids of the rules that were applied.
  package let rules: Set<String>
  private let settings: RuleSettings
  /// The doubts about each log.
  package let doubts: [[Doubt]]

  package init(
    _ log: LogAnalysis, _ settings: RuleSettings = RuleSettings(),
    rules: [any Rule] = RuleBook.rules
  ) {
    let applied = Set(rules.filter { settings.level(of: $0) > .off }.map(\.id))
    let judgesTasks = !applied.isDisjoint(with: Self.taskRules)
    let doubts = log.logs.map { Verdict.doubts(about: $0, judgesTasks: judgesTasks) }
    let hasRetentions = log.logs.contains { !$0.retentions.isEmpty }
    var found = Processors.map(rules.count) { number in
      settings.level(of: rules[number]) > .off ? rules[number].findings(in: log, settings) : []
    }
    var findings: [Finding] = []
    findings.reserveCapacity(found.reduce(0) { $0 + $1.count })
    for (number, rule) in rules.enumerated() {
      let level = settings.level(of: rule)
      let asks = rule.asksForRetention && hasRetentions
      for var finding in found[number] {
        let number = Int(log.lifecycles.activity(at: finding.lifecycle).log)
        finding.level = level
        finding.library = log.lifecycles[finding.lifecycle].site.library
        finding.isProven = finding.proof.holds(despite: doubts[number])
        if asks, finding.retention == nil {
          finding.retention = log.retention(of: finding.lifecycle)
        }
        findings.append(finding)
      }
      // There may be a million findings, so their memory isn't taken twice.
      found[number] = []
    }
    var distinct = DistinctLeaks(consume findings)
    findings = distinct.takeFindings()
    let repeated = (log.repeatedTasks(findings) + log.repeatedObjects(findings)).sorted()
    let repetitions = distinct.repetitions + repeated.map { findings[$0] }
    for index in repeated.reversed() { findings.remove(at: index) }
    var allowed: [Finding] = []
    if !settings.allowances.isEmpty {
      allowed = findings.filter { settings.allows(log.lifecycles[$0.lifecycle].site) }
      findings.removeAll { settings.allows(log.lifecycles[$0.lifecycle].site) }
    }
    findings = findings.mostSevereFirst()
    for index in findings.indices { findings[index].number = index }
    self.findings = findings
    groups = FindingGroup.groups(of: findings, in: log).mostSevereFirst()
    self.allowed = FindingGroup.groups(of: allowed, in: log).count
    self.repetitions = Set(repetitions.map { Fingerprint($0, in: log) })
    self.rules = applied
    self.settings = settings
    self.doubts = doubts
  }

  /// Returns the groups of some findings, most severe first. Each has the id that it has among all
  /// findings, because it is the same mistake.
  package func groups(
    in log: LogAnalysis, where isIncluded: (Finding) -> Bool
  ) -> [FindingGroup] {
    groups.compactMap { $0.filtered(isIncluded, in: log) }.mostSevereFirst()
  }

  /// Returns the groups of findings of this verdict, most severe first.
  package func groups(of findings: [Finding], in log: LogAnalysis) -> [FindingGroup] {
    guard findings.count < self.findings.count else { return groups }
    var isIncluded = [Bool](repeating: false, count: self.findings.count)
    for finding in findings { isIncluded[finding.number] = true }
    return groups(in: log) { isIncluded[$0.number] }
  }

  /// Returns the groups that affect at least one subscription of an excerpt, most severe first.
  package func groups(of excerpt: LogExcerpt) -> [FindingGroup] {
    excerpt.hasAllSubscriptions
      ? groups
      : groups(in: excerpt.log) { $0.affected.contains(where: excerpt.contains) }
  }

  /// Reports whether the run looked for findings with a fingerprint: its rule was applied, and no
  /// setting allows such findings.
  package func covers(_ fingerprint: Fingerprint) -> Bool {
    rules.contains(fingerprint.rule)
      && !settings.allows(
        Site(
          lane: fingerprint.lane, source: fingerprint.file.isEmpty ? nil : fingerprint.file,
          function: fingerprint.function)
      )
  }

  /// Returns the outcome of the run.
  ///
  /// - Parameter findings: The findings that count, which are all except those in the baseline;
  ///   nil for all findings.
  package func outcome(of findings: [Finding]? = nil, failOn: FailOn = .error) -> Outcome {
    if (findings ?? self.findings).contains(where: failOn.isFailed) { return .findings }
    return isWhole ? .clean : .inconclusive
  }

  /// A Boolean value that indicates whether all logs are free of doubts.
  package var isWhole: Bool { doubts.allSatisfy(\.isEmpty) }

  package var outcome: Outcome { outcome() }

  /// The rules that depend on what can let a task continue.
  private static let taskRules = [LostContinuation.id, TaskDeadlock.id, TaskLeak.id]

  private static func doubts(about log: TraceLog, judgesTasks: Bool) -> [Doubt] {
    var doubts: [Doubt] = []
    if log.end == nil { doubts.append(log.continues ? .continues : .noEnd) }
    if log.lost > 0 { doubts.append(log.searched == nil ? .lost(log.lost) : .partlySearched) }
    if let limit = log.taskLimit, judgesTasks { doubts.append(.unknownTasks(limit)) }
    if log.missing > 0 { doubts.append(.missing(log.missing)) }
    if log.extra > 0 { doubts.append(.extra(log.extra)) }
    if log.uncountedSkips > 0 { doubts.append(.skipped(log.uncountedSkips)) }
    if log.reusedNumbers > 0 { doubts.append(.reused(log.reusedNumbers)) }
    if log.isUnpackedInPart { doubts.append(.unpackedInPart) }
    if let count = log.header?.replaced, count > 0 { doubts.append(.replaced(count)) }
    return doubts
  }
}
