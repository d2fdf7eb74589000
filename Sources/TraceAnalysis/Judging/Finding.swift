import TraceFormat

/// What a rule found fault with.
package struct Finding: Sendable {
  package let rule: String
  /// The subscription that it is about, or the first of them, as a place in `LogAnalysis.lifecycles`.
  package let lifecycle: Int
  /// The others.
  package let others: [Int]
  /// What is wrong in this case, without a full stop.
  package let sentence: FindingMessage
  let proof: Proof
  package internal(set) var level = RuleLevel.error
  /// Whether the log proves it: nothing of what is missing could make it untrue.
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

  /// All subscriptions that it is about.
  package var members: [Int] { [lifecycle] + others }
}

/// Which logs prove a finding.
enum Proof: Sendable {
  /// Any that is of one process: what is there is enough.
  case always
  /// One without holes: a record that is missing in the middle could make it untrue, but nothing that would have come later.
  case withoutHoles
  /// Only one that is whole: what would have come later could make it untrue.
  case wholeLog

  func holds(despite doubts: [Verdict.Doubt]) -> Bool {
    // Records of another log would make anything untrue.
    let isMixed = doubts.contains { if case .extra = $0 { true } else { false } }
    return switch self {
    case .always: !isMixed
    case .withoutHoles: doubts.allSatisfy { $0 == .noEnd || $0 == .continues }
    case .wholeLog: doubts.isEmpty
    }
  }
}

/// What findings have in common that are one to a baseline: neither lines nor ids, which change from run to run.
package struct Fingerprint: Hashable, Comparable, Sendable {
  package let rule: String
  package let lane: String
  /// The file of the source, without the line; empty where it is not known.
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

  /// 16 hexadecimal digits that are the same for the same fingerprint, on every machine: FNV-1a of its texts.
  package var digest: String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for text in [rule, lane, file, function] {
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      // No text holds this byte.
      hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
