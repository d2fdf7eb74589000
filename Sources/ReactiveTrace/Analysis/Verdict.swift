/// What a log proves.
package struct Verdict: Sendable {
  package enum Outcome: Equatable, Sendable {
    case clean, findings, inconclusive
  }

  /// A reason why the log proves nothing.
  package enum Doubt: Equatable, Sendable {
    /// The process never wrote the end of its log.
    case noEnd
    /// The log goes on in another file, which is not here.
    case continues
    /// The recorder could not write this many records.
    case lost(UInt64)
    /// The recorder counted this many records more than the log has.
    case missing(UInt64)
    /// This many lines are no records.
    case skipped(Int)
    /// Another log begins at this line.
    case secondLog(line: Int)
  }

  /// Subscriptions that a rule found fault with: suspects only, where there are doubts.
  package let findings: [Finding]
  package let doubts: [Doubt]

  package var outcome: Outcome {
    if !doubts.isEmpty { return .inconclusive }
    return findings.isEmpty ? .clean : .findings
  }

  package static let rules: [any Rule] = [Undisposed()]

  package init(_ log: LogAnalysis, rules: [any Rule] = Verdict.rules) {
    findings = rules.flatMap { rule in
      log.lifecycles.lazy
        .filter { rule.applies(to: $0, in: log) }
        .map { Finding(rule: rule.name, lifecycle: $0) }
    }
    var doubts: [Doubt] = []
    if log.end == nil { doubts.append(log.continues ? .continues : .noEnd) }
    if log.lost > 0 { doubts.append(.lost(log.lost)) }
    if log.missingRecords > 0 { doubts.append(.missing(log.missingRecords)) }
    if log.hasDamageThatMatters, log.damage.skippedLines > 0 {
      doubts.append(.skipped(log.damage.skippedLines))
    }
    if let second = log.damage[.secondLog] {
      doubts.append(.secondLog(line: second.firstLine))
    }
    self.doubts = doubts
  }
}
