import ReactiveTrace
public import Testing

/// A trait that records an issue for each leak that a test leaves behind.
///
/// Tests can run in parallel. What belongs to a test is known from task-local values, so it
/// includes child tasks, tasks that inherit the context, and work that ReactiveKit moves to other
/// threads. It doesn't include what `Task.detached`, `DispatchQueue.async` or a thread starts.
///
/// If the test throws an error, leaks aren't searched for.
public struct NoLeaksTrait: SuiteTrait, TestTrait, TestScoping {
  public let isRecursive = true

  let kinds: LeakKinds
  let grace: Duration

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let (_, report) = try await LeakReport.of(kinds, grace: grace) { try await function() }
    for finding in report.findings {
      Issue.record(
        "\(finding.description)",
        sourceLocation: SourceLocation(finding.source, near: test.sourceLocation))
    }
  }
}

extension Trait where Self == NoLeaksTrait {
  /// A trait that records an issue for each leak that a test leaves behind, of any kind.
  ///
  /// For a suite, it applies to each test in it, and to each of its arguments. The grace period
  /// begins when the test ends. If everything has ended by then, the trait doesn't wait.
  public static var noLeaks: Self { Self(kinds: .all, grace: .milliseconds(500)) }

  /// A trait that records an issue for each leak of the given kinds that a test leaves behind.
  ///
  /// - Parameter grace: The time that subscriptions and tasks may take to end after the test.
  public static func noLeaks(
    _ kinds: LeakKinds..., grace: Duration = .milliseconds(500)
  ) -> Self {
    Self(kinds: kinds.reduce([]) { $0.union($1) }, grace: grace)
  }
}
