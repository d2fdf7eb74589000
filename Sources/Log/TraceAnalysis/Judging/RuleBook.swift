/// The list of all rules.
package enum RuleBook {
  /// All rules: errors before warnings, the most common first.
  package static let rules: [any Rule] = [
    RetainCycle(), Undisposed(), Unreachable(), ScopeLeak(), LostContinuation(), TaskDeadlock(),
    TaskLeak(), Growth(), MaxActive(), AfterEnd(), InstanceGrowthRule(), Duplicate(),
    CancelledButRunning(), Abandoned(), Silent(), Burst(), OffMainThread(), Stalled(),
  ]

  private static let rulesByID: [String: any Rule] = Dictionary(
    uniqueKeysWithValues: rules.map { ($0.id, $0) })

  /// Returns the rule with an id. A report asks for each of its findings.
  package static func rule(_ id: String) -> (any Rule)? { rulesByID[id] }
}
