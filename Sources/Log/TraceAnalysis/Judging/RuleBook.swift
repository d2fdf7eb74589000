/// The list of all rules.
package enum RuleBook {
  /// All rules: errors before warnings, the most common first.
  package static let rules: [any Rule] = [
    RetainCycle(), Undisposed(), Unreachable(), ScopeLeak(), LostContinuation(), TaskDeadlock(),
    TaskLeak(), Growth(), MaxActive(), AfterEnd(), InstanceGrowthRule(), Duplicate(),
    CancelledButRunning(), Abandoned(), Silent(), Burst(), OffMainThread(), Stalled(),
  ]

  private static let rulesByID: [String: any Rule] = Dictionary(
    rules.flatMap { rule in ([rule.id] + rule.formerIDs).map { ($0, rule) } },
    uniquingKeysWith: { first, _ in first })

  /// Returns the rule with an id, which may be from an earlier version. A report asks for each of
  /// its findings.
  package static func rule(_ id: String) -> (any Rule)? { rulesByID[id] }

  /// Returns the current id of a rule whose id may be from an earlier version. Returns an unknown
  /// id unchanged.
  package static func currentID(of id: String) -> String {
    rule(id)?.id ?? id
  }
}
