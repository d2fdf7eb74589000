package import TraceFormat

/// The judgment of a rule about one subscription, or about several that only together have a
/// problem.
///
/// What users see as one finding is a `FindingGroup`: all judgments about one mistake.
///
/// A log may have a million judgments, so each takes only 64 bytes.
package struct Finding: Sendable {
  package let rule: String
  /// The subscription that the finding is about, or the first of several, as an index in
  /// `LogAnalysis.lifecycles`.
  package var lifecycle: Int { Int(shortLifecycle) }
  private let shortLifecycle: UInt32
  private var shortNumber: UInt32 = 0
  /// What few findings have, or an empty array, which takes less memory than an optional value.
  private var details: [Details]
  /// The problem in this case, as a sentence without a period.
  package let sentence: FindingMessage
  let proof: Proof
  package internal(set) var level = RuleLevel.error
  /// The library of the first subscription; `nil` for ReactiveKit.
  var library: LogFormat.StreamLibrary?
  /// A Boolean value that indicates whether the log proves the finding: no missing record could
  /// make it untrue.
  package internal(set) var isProven = true
  /// A Boolean value that indicates whether the process itself wasn't certain, so that no log could
  /// prove the finding.
  package var isNeverProven: Bool { proof == .never }
  private struct Details {
    var others: [Int] = []
    var consequences: [Int] = []
    var retention: Retention?
  }

  /// An event whose delivery made a subscription.
  package struct Cause: Equatable, Sendable {
    package let subscription: SubscriptionID
    /// The index of the subscription in `LogAnalysis.lifecycles`; `nil` if it is not in the log.
    package let lifecycle: Int?
    package let time: Nanoseconds
  }

  init(
    _ rule: some Rule, _ lifecycle: Int, others: [Int] = [], consequences: [Int] = [],
    retention: Retention? = nil, _ proof: Proof, _ sentence: FindingMessage
  ) {
    self.rule = rule.id
    shortLifecycle = UInt32(clamping: lifecycle)
    let hasDetails = !others.isEmpty || !consequences.isEmpty || retention != nil
    details =
      hasDetails
      ? [Details(others: others, consequences: consequences, retention: retention)] : []
    self.proof = proof
    self.sentence = sentence
  }

  /// The index among the findings of a verdict.
  package internal(set) var number: Int {
    get { Int(shortNumber) }
    set { shortNumber = UInt32(clamping: newValue) }
  }
  /// The other subscriptions that the finding is about.
  package var others: [Int] { details.first?.others ?? [] }
  /// The subscriptions that have the same problem only because of these, with the oldest record
  /// first: those that were made for them, those that they keep alive, and so on. They do not count
  /// as findings.
  package var consequences: [Int] { details.first?.consequences ?? [] }
  /// The reason why the subscription is still alive; `nil` if the log does not say.
  package internal(set) var retention: Retention? {
    get { details.first?.retention }
    set {
      if details.isEmpty {
        if let newValue { details = [Details(retention: newValue)] }
      } else {
        details[0].retention = newValue
      }
    }
  }
  /// One line that says what to do.
  package var advice: String {
    if let remedy = retention.flatMap(RetentionWords.remedy) { return remedy.text }
    // The advice of the rule is about closures.
    if let retention, retention.isCycle, retention.subject == .object,
      !retention.cycle.contains(where: \.isCode)
    {
      return RetentionWords.anyStep
    }
    return RuleBook.rule(rule)?.advice(for: library) ?? ""
  }

  /// All subscriptions that the finding is about.
  package var members: [Int] { [lifecycle] + others }
  /// The subscriptions that the finding is about, and those that have the problem only because of
  /// them.
  package var affected: [Int] { members + consequences }
  /// A Boolean value that indicates whether the finding is about a retain cycle.
  package var isCycle: Bool { rule == RetainCycle.id }
}

extension LogAnalysis {
  /// Returns the event that made the subscription of a finding; `nil` if the log does not say.
  package func cause(of finding: Finding) -> Finding.Cause? {
    let lifecycle = lifecycles[finding.lifecycle]
    return lifecycle.cause.map { cause in
      Finding.Cause(
        subscription: cause, lifecycle: index(of: cause, log: Int(lifecycle.log)),
        time: lifecycle.start)
    }
  }

  /// Returns the names of the lanes of some subscriptions, each once, in the order of their first
  /// appearance.
  package func lanes(of members: some Sequence<Int>) -> [String] {
    var known: Set<String> = []
    return members.lazy.map { self.lifecycles[$0].site.lane }.filter { known.insert($0).inserted }
  }
}

/// The kind of log that proves a finding.
enum Proof: Sendable {
  /// Any log of one process: the existing records are enough.
  case always
  /// A log without gaps. A record that is missing in the middle could make the finding untrue, but
  /// no later record could.
  case withoutHoles
  /// A complete log. Later records could make the finding untrue.
  case wholeLog
  /// No log: the process itself didn't find out for certain.
  case never

  func holds(despite doubts: [Verdict.Doubt]) -> Bool {
    if doubts.isEmpty { return self != .never }
    // Missing logs of other processes don't affect this one, nor do missing findings about tasks.
    let doubts = doubts.filter {
      switch $0 {
      case .replaced, .unknownTasks: false
      default: true
      }
    }
    // Records of another log could make any finding untrue.
    let isMixed = doubts.contains { if case .extra = $0 { true } else { false } }
    return switch self {
    case .always: !isMixed
    case .withoutHoles: doubts.allSatisfy { $0 == .noEnd || $0 == .continues }
    case .wholeLog: doubts.isEmpty
    case .never: false
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
    self.init(finding.rule, log.lifecycles[finding.lifecycle].site)
  }

  init(_ rule: String, _ site: Site) {
    self.init(rule: rule, lane: site.lane, file: site.file ?? "", function: site.function ?? "")
  }

  /// The fingerprint with one id for all rules that may report the same leak, because it depends on
  /// the run which of them does.
  package var leak: Fingerprint { rules.isEmpty ? self : of(Undisposed.id) }

  /// The rules that may report the same leak, or an empty array if no others do. A cycle of objects
  /// is reported as unreachable objects if words from an earlier use of memory make it uncertain.
  private var rules: [String] {
    let all = DistinctLeaks.rules + (LeakedObjects.isReference(function) ? [Unreachable.id] : [])
    return all.contains(rule) ? all : []
  }

  /// Whether findings with this fingerprint can be about objects that a search found. Instead of a
  /// function, they have the reference to break.
  var canBeOfObjects: Bool {
    rule == Unreachable.id
      || rule == RetainCycle.id && (function.isEmpty || LeakedObjects.isReference(function))
  }

  /// The fingerprints with which other rules report the same leak.
  var alternatives: [Fingerprint] {
    rules.filter { $0 != rule }.map { of($0) }
  }

  /// Returns the fingerprint of a finding of another rule at the same location.
  func of(_ rule: String) -> Fingerprint {
    Fingerprint(rule: rule, lane: lane, file: file, function: function)
  }

  package static func < (left: Fingerprint, right: Fingerprint) -> Bool {
    (left.rule, left.lane, left.file, left.function)
      < (right.rule, right.lane, right.file, right.function)
  }

  /// A hash of the fingerprint as 16 hexadecimal digits: FNV-1a of its strings, the same on every
  /// machine.
  package var digest: String {
    var hash = FNV1a()
    for text in [rule, lane, file, function] {
      hash.add(text.utf8)
      // No string contains this byte.
      hash.add(0xFF)
    }
    return hash.value.hexadecimalText
  }
}

/// The digests of fingerprints. Many findings share a few sites.
package struct FingerprintDigests {
  private struct Key: Hashable {
    let rule: String
    let site: ObjectIdentifier
  }

  private var known: [Key: String] = [:]

  package init() {}

  package mutating func digest(of finding: Finding, in log: LogAnalysis) -> String {
    let site = log.lifecycles[finding.lifecycle].site
    let key = Key(rule: finding.rule, site: ObjectIdentifier(site))
    if let known = known[key] { return known }
    let digest = Fingerprint(finding, in: log).digest
    known[key] = digest
    return digest
  }
}

extension LogExcerpt {
  /// Returns the findings that affect at least one of the excerpt's subscriptions.
  package func findings(_ findings: [Finding]) -> [Finding] {
    hasAllSubscriptions
      ? findings : findings.filter { $0.affected.contains(where: contains) }
  }
}
