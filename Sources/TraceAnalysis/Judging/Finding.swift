import TraceFormat

/// A problem that a rule found.
package struct Finding: Sendable {
  package let rule: String
  /// The subscription that the finding is about, or the first of several, as an index in
  /// `LogAnalysis.lifecycles`.
  package let lifecycle: Int
  /// The other subscriptions that the finding is about.
  package let others: [Int]
  /// The problem in this case, as a sentence without a period.
  package let sentence: FindingMessage
  let proof: Proof
  package internal(set) var level = RuleLevel.error
  /// A Boolean value that indicates whether the log proves the finding: no missing record could
  /// make it untrue.
  package internal(set) var isProven = true

  init(
    _ rule: some Rule, _ lifecycle: Int, others: [Int] = [], _ proof: Proof,
    _ sentence: FindingMessage
  ) {
    self.rule = rule.id
    self.lifecycle = lifecycle
    self.others = others
    self.proof = proof
    self.sentence = sentence
  }

  /// All subscriptions that the finding is about.
  package var members: [Int] { [lifecycle] + others }
}

/// The kind of log that proves a finding.
enum Proof: Sendable {
  /// Any log of one process: the records that are there are enough.
  case always
  /// A log without holes. A record that is missing in the middle could make the finding untrue, but
  /// no later record could.
  case withoutHoles
  /// A whole log. Later records could make the finding untrue.
  case wholeLog

  func holds(despite doubts: [Verdict.Doubt]) -> Bool {
    // Records of another log could make any finding untrue.
    let isMixed = doubts.contains { if case .extra = $0 { true } else { false } }
    return switch self {
    case .always: !isMixed
    case .withoutHoles: doubts.allSatisfy { $0 == .noEnd || $0 == .continues }
    case .wholeLog: doubts.isEmpty
    }
  }
}

/// The properties that findings share if a baseline treats them as one. They exclude lines and ids,
/// which change from run to run.
package struct Fingerprint: Hashable, Comparable, Sendable {
  package let rule: String
  package let lane: String
  /// The source file without the line; empty if it is not known.
  package let file: String
  package let function: String

  package init(rule: String, lane: String, file: String, function: String) {
    self.rule = rule
    self.lane = lane
    self.file = file
    self.function = function
  }

  package init(_ finding: Finding, in log: LogAnalysis) {
    let site = log.lifecycles[finding.lifecycle].site
    self.init(
      rule: finding.rule, lane: site.lane, file: site.file ?? "", function: site.function ?? "")
  }

  package static func < (left: Fingerprint, right: Fingerprint) -> Bool {
    (left.rule, left.lane, left.file, left.function)
      < (right.rule, right.lane, right.file, right.function)
  }

  /// A hash of the fingerprint as 16 hexadecimal digits: FNV-1a of its texts, equal on every
  /// machine.
  package var digest: String {
    var hash = FNV1a()
    for text in [rule, lane, file, function] {
      hash.add(text.utf8)
      // No text contains this byte.
      hash.add(0xFF)
    }
    return hash.value.hexadecimalText
  }
}

extension LogExcerpt {
  /// Returns the findings about at least one of the excerpt's subscriptions.
  package func findings(_ findings: [Finding]) -> [Finding] {
    hasAllSubscriptions
      ? findings : findings.filter { $0.members.contains(where: contains) }
  }
}
