/// A division of findings about leaks into those that count and those that repeat them.
///
/// Several rules look at the same subscriptions: one that a retain cycle keeps alive is undisposed,
/// may outlive its scope, and may be one of many that make a lane grow. It is one mistake, so it is
/// one finding.
struct DistinctLeaks {
  /// The rules that may find the same leak, with the most specific first. Of equally severe
  /// findings, the one of the first rule counts.
  static let rules = [RetainCycle.id, Undisposed.id, ScopeLeak.id, Growth.id]

  /// The findings that count, in the given order.
  private(set) var findings: [Finding] = []
  /// The findings that repeat others.
  private(set) var repetitions: [Finding] = []

  /// The weight of a finding. The finding with the higher weight is kept.
  private struct Strength: Comparable {
    let isProven: Bool
    let level: RuleLevel
    /// The place of the rule among `rules`.
    let rule: Int

    /// True if a finding with this strength is as severe as another one.
    func isAsSevere(as other: Strength) -> Bool {
      isProven == other.isProven ? level >= other.level : isProven
    }

    static func < (left: Strength, right: Strength) -> Bool {
      if left.isProven != right.isProven { return right.isProven }
      return (left.level, right.rule) < (right.level, left.rule)
    }
  }

  init(_ all: [Finding]) {
    let strengths = all.map { finding in
      DistinctLeaks.rules.firstIndex(of: finding.rule).map {
        Strength(isProven: finding.isProven, level: finding.level, rule: $0)
      }
    }
    let known = Set(strengths.lazy.compactMap { $0?.rule })
    // In most logs, the rules find each leak once.
    guard known.count > 1 else {
      findings = all
      return
    }
    var isRepeated = [Bool](repeating: false, count: all.count)
    DistinctLeaks.markSameSubscription(all, strengths, &isRepeated)
    DistinctLeaks.markConsequences(all, strengths, &isRepeated)
    DistinctLeaks.markGrowth(all, strengths, &isRepeated)
    for (finding, isRepeated) in zip(all, isRepeated) {
      if isRepeated { repetitions.append(finding) } else { findings.append(finding) }
    }
  }

  /// Removes and returns the findings that count, so that the caller can change them in place.
  mutating func takeFindings() -> [Finding] {
    var taken: [Finding] = []
    swap(&taken, &findings)
    return taken
  }

  private static let growth = rules.count - 1

  /// Marks all findings but the strongest about each subscription. Growth findings are about
  /// several subscriptions, so they are handled later.
  private static func markSameSubscription(
    _ all: [Finding], _ strengths: [Strength?], _ isRepeated: inout [Bool]
  ) {
    var strongest: [Int: Int] = [:]
    for (position, strength) in strengths.enumerated() {
      guard let strength, strength.rule != growth else { continue }
      let subscription = all[position].lifecycle
      guard let other = strongest[subscription], let known = strengths[other] else {
        strongest[subscription] = position
        continue
      }
      isRepeated[known < strength ? other : position] = true
      if known < strength { strongest[subscription] = position }
    }
  }

  /// Marks findings about subscriptions that leak only because of another one, if another rule's
  /// finding about that one is as severe.
  private static func markConsequences(
    _ all: [Finding], _ strengths: [Strength?], _ isRepeated: inout [Bool]
  ) {
    var positions: [Int: Int] = [:]
    for (position, strength) in strengths.enumerated() {
      guard let strength, strength.rule != growth, !isRepeated[position] else { continue }
      positions[all[position].lifecycle] = position
    }
    for (position, strength) in strengths.enumerated() {
      guard let strength, strength.rule != growth, !isRepeated[position] else { continue }
      for consequence in all[position].consequences {
        guard let other = positions[consequence], other != position, !isRepeated[other],
          let weaker = strengths[other], strength.isAsSevere(as: weaker)
        else { continue }
        isRepeated[other] = true
      }
    }
  }

  /// Marks a growth finding if each of its subscriptions has a finding that is as severe.
  /// Otherwise, marks the less severe findings about those subscriptions instead.
  private static func markGrowth(
    _ all: [Finding], _ strengths: [Strength?], _ isRepeated: inout [Bool]
  ) {
    guard strengths.contains(where: { $0?.rule == growth }) else { return }
    // The strongest finding that affects each subscription.
    var found: [Int: Int] = [:]
    for (position, strength) in strengths.enumerated() {
      guard let strength, strength.rule != growth, !isRepeated[position] else { continue }
      for subscription in all[position].affected {
        if let known = found[subscription].flatMap({ strengths[$0] }), known > strength { continue }
        found[subscription] = position
      }
    }
    for (position, strength) in strengths.enumerated() {
      guard let strength, strength.rule == growth else { continue }
      let others = all[position].members.map { found[$0] }
      let isKnown = others.allSatisfy { other in
        other.flatMap { strengths[$0] }?.isAsSevere(as: strength) ?? false
      }
      if isKnown {
        isRepeated[position] = true
        continue
      }
      for case let (member, other?) in zip(all[position].members, others) {
        guard all[other].lifecycle == member, let weaker = strengths[other],
          !weaker.isAsSevere(as: strength)
        else { continue }
        isRepeated[other] = true
      }
    }
  }
}
