/// The severity of findings, as reports name it: the level of the rule, unless the log does not
/// prove the finding.
package enum Severity: String, CaseIterable, Sendable {
  case error, warning, unproven
}

/// A finding or a group of findings, with a severity.
package protocol Judged {
  var level: RuleLevel { get }
  var isProven: Bool { get }
  var isCycle: Bool { get }
  /// The number of subscriptions that have the problem only because of this finding or group.
  var consequenceCount: Int { get }
}

extension Judged {
  package var severity: Severity {
    isProven ? level == .error ? .error : .warning : .unproven
  }

  /// The sort key, which is higher for findings to fix first. Proven cycles come first, then other
  /// errors by the number of their consequences. Among unproven findings, errors come first.
  fileprivate var weight: (severity: Int, consequences: Int) {
    let isError = level == .error
    let cycle = isProven && isError && isCycle ? 1 : 0
    return ((isProven ? 2 : 0) + (isError ? 1 : 0) + cycle, isError ? consequenceCount : 0)
  }
}

extension Finding: Judged {
  package var consequenceCount: Int { consequences.count }
}

extension FindingGroup: Judged {}

extension Sequence where Element: Judged {
  /// Returns the elements with the most severe first. Equal elements keep their order.
  package func mostSevereFirst() -> [Element] {
    let elements = Array(self)
    let weights = elements.map(\.weight)
    // Rules are in this order, too, so the elements are often sorted already.
    guard zip(weights, weights.dropFirst()).contains(where: { $0 < $1 }) else { return elements }
    return weights.indices.sorted { left, right in
      weights[left] == weights[right] ? left < right : weights[left] > weights[right]
    }.map { elements[$0] }
  }
}
