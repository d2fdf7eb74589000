public import Testing

/// A trait that records an issue if a test takes too long, with what the test waits for.
public struct HangReportTrait: SuiteTrait, TestTrait, TestScoping {
  public let isRecursive = true

  let time: Duration

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let watch = Watch(test, after: time)
    // The task inherits the current test, so its issue belongs to that test.
    let task = Task(executorPreference: WatchThread.shared) { await watch.run() }
    var failure: (any Error)?
    do { try await function() } catch { failure = error }
    WatchThread.shared.wake(ObjectIdentifier(watch))
    // An issue must not be recorded after the test has ended.
    await task.value
    WatchThread.shared.forget(ObjectIdentifier(watch))
    if let failure { throw failure }
  }
}

extension Trait where Self == HangReportTrait {
  /// A trait that records an issue if a test hasn't ended after a time. The issue has what the test
  /// waits for: its tasks, what each of them waits for and where.
  ///
  /// The test continues. The report doesn't need a thread of the pool that runs tasks, so it also
  /// works if all of them are blocked. It requires Linux. On other platforms, the issue only says
  /// that the test hasn't ended.
  public static func hangReport(after time: Duration) -> Self { Self(time: time) }
}

/// The watch over one run of a test.
private final class Watch: Sendable {
  private let test: Test
  private let time: Duration
  private let deadline: ContinuousClock.Instant
  /// The number of the task that runs the test.
  private let task = HangReport.currentTask

  init(_ test: Test, after time: Duration) {
    self.test = test
    self.time = time
    deadline = .now + time
  }

  func run() async {
    let isLate = await WatchThread.shared.sleep(until: deadline, for: ObjectIdentifier(self))
    guard isLate else { return }
    let report = HangReport(ofTask: task)
    Issue.record(
      "The test has not ended after \(time):\n\(report.text)",
      sourceLocation: SourceLocation(report.source, near: test.sourceLocation))
  }
}
