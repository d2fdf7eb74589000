/// The severity of findings, as reports name it: the level of the rule, unless the log does not
/// prove the finding.
package enum Severity: String, CaseIterable, Sendable {
  case error, warning, unproven
}

/// A finding or several of them, with a level and a proof.
package protocol Judged {
  var level: RuleLevel { get }
  var isProven: Bool { get }
}

extension Judged {
  package var severity: Severity {
    isProven ? level == .error ? .error : .warning : .unproven
  }

  /// A number that is higher for what is more severe. Of unproven findings, errors are more severe.
  fileprivate var weight: Int { (isProven ? 2 : 0) + (level == .error ? 1 : 0) }
}

extension Finding: Judged {}
extension FindingGroup: Judged {}

extension Sequence where Element: Judged {
  /// Returns the elements, the most severe first. Elements of equal severity keep their order.
  package func mostSevereFirst() -> [Element] {
    enumerated().sorted { left, right in
      let (first, second) = (left.element.weight, right.element.weight)
      return first == second ? left.offset < right.offset : first > second
    }.map(\.element)
  }
}
