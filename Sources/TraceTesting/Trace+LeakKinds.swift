public import ReactiveTrace

extension Trace {
  /// Runs `body` and throws `LeakReport` if it leaves leaks of the given kinds behind.
  ///
  /// This is what the trait `.noLeaks` does, as a function. The grace period begins when `body`
  /// returns. If everything has ended by then, the check doesn't wait. If `body` throws, its error
  /// is rethrown.
  public static func expectNoLeaks<Result>(
    of kinds: LeakKinds, grace: Duration = .milliseconds(500),
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async throws -> Result {
    let (result, report) = try await LeakReport.of(kinds, grace: grace, body)
    guard report.findings.isEmpty else { throw report }
    return result
  }

  /// Runs a synchronous `body` and throws `LeakReport` if it leaves leaks of the given kinds
  /// behind.
  ///
  /// A test class of XCTest can check each of its tests with this function:
  ///
  ///     override func invokeTest() {
  ///       do {
  ///         try Trace.expectNoLeaks(of: .all) { super.invokeTest() }
  ///       } catch {
  ///         XCTFail("\(error)")
  ///       }
  ///     }
  ///
  /// This function blocks the calling thread for at most `grace`, and then for the search.
  @_disfavoredOverload
  public static func expectNoLeaks<Result>(
    of kinds: LeakKinds, grace: Duration = .milliseconds(500), _ body: () throws -> Result
  ) throws -> Result {
    let (result, report) = try LeakReport.of(kinds, grace: grace, body)
    guard report.findings.isEmpty else { throw report }
    return result
  }
}
