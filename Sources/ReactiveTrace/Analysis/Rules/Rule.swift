/// Something to find fault with in the subscriptions of a log.
package protocol Rule: Sendable {
  /// The name in reports and baselines.
  var name: String { get }
  /// What the rule is about, in one sentence.
  var summary: String { get }
  /// Whether the rule finds fault with a subscription.
  func applies(to lifecycle: Lifecycle, in log: LogAnalysis) -> Bool
}

/// A subscription that a rule found fault with.
package struct Finding: Sendable {
  package let rule: String
  package let lifecycle: Lifecycle
}
