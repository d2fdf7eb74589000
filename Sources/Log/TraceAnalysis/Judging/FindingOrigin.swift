package import TraceFormat

/// How the program came to make a subscription: the test that ran, and the calls that led to the
/// place where the subscription was observed.
package struct FindingOrigin: Hashable, Sendable {
  /// A test, as Swift Testing or XCTest names it.
  package struct Test: Hashable, Sendable {
    package let name: String
    /// Where the test is declared, such as `ShopTests/CartTests.swift:8`, if that is known.
    package let source: String?
  }

  /// The test that ran when the subscription was made. XCTest says which test runs in the process,
  /// and not which thread belongs to it, so another test may have started the work.
  package let test: Test?
  /// The calls, innermost first, without the observation itself.
  package let calls: [UnfinishedTask.Call]
}

extension LogAnalysis {
  /// Returns how the program came to make a subscription, or `nil` if the log does not say.
  ///
  /// - Parameter index: An index in `lifecycles`.
  package func origin(of index: Int) -> FindingOrigin? {
    let lifecycle = lifecycles[index]
    let test = test(of: lifecycle).map {
      FindingOrigin.Test(name: $0.name ?? "\($0.number)", source: $0.source)
    }
    let calls = callers(of: lifecycle)
    return test == nil && calls.isEmpty ? nil : FindingOrigin(test: test, calls: calls)
  }

  /// Returns the different origins of the subscriptions of a finding, in the order of their
  /// beginnings.
  package func origins(of group: FindingGroup) -> [FindingOrigin] {
    guard !scopes.isEmpty || logs.contains(where: { !$0.callers.isEmpty }) else { return [] }
    var known: Set<FindingOrigin> = []
    return group.findings.flatMap { [$0.lifecycle] + $0.others }.compactMap { index in
      origin(of: index).flatMap { known.insert($0).inserted ? $0 : nil }
    }
  }
}
