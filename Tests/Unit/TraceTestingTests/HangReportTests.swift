import Dispatch
import ReactiveKit
import TestSupport
import Testing
import TraceTesting

/// A promise that a test keeps when its report has been recorded.
private final class Promise: Sendable {
  private enum State {
    case empty
    case waiting(CheckedContinuation<Void, Never>)
    case kept
  }

  private let state = Locked(State.empty)

  func wait() async {
    await withCheckedContinuation { continuation in
      let isKept = state.withLock { state in
        if case .kept = state { return true }
        state = .waiting(continuation)
        return false
      }
      if isKept { continuation.resume() }
    }
  }

  func keep() {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state = .kept }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    waiting?.resume()
  }
}

@Suite("The trait hangReport", .ownThread)
struct HangReportTests {
  /// Runs a body under the trait, and returns the issues that the trait records.
  private func issues(
    after time: Duration, _ body: @escaping @Sendable (_ recorded: Promise) async throws -> Void
  ) async throws -> [Issue] {
    let test = try #require(Test.current)
    let recorded = Promise()
    let issues = Locked<[Issue]>([])
    try await withKnownIssue(isIntermittent: true) {
      let trait: HangReportTrait = .hangReport(after: time)
      try await trait.provideScope(for: test, testCase: Test.Case.current) {
        try await body(recorded)
      }
    } matching: { issue in
      issues.withLock { $0.append(issue) }
      recorded.keep()
      return true
    }
    return issues.withLock { $0 }
  }

  @Test("A test that ends in time has no issue, and doesn't wait")
  func inTime() async throws {
    let start = ContinuousClock.now
    #expect(try await issues(after: .seconds(3600)) { _ in await Task.yield() }.isEmpty)
    #expect(ContinuousClock.now - start < .seconds(3600))
  }

  @Test("A test that waits has an issue with the tasks, and continues")
  func waiting() async throws {
    let found = try await issues(after: .milliseconds(1)) { recorded in
      let checkout = Task { await recorded.wait() }
      await checkout.value
    }
    #expect(found.count == 1)
    let text = try #require(found.first?.comments.first?.rawValue)
    #expect(text.hasPrefix("The test has not ended after 0.001 seconds:\n"), "\(text)")
    #if os(Linux)
      #expect(text.contains("waits for task #"), "\(text)")
      #expect(text.contains("\n  task #"), "\(text)")
      // Other tests can keep the task from its first turn.
      let waits = ["waits for a continuation", "waits for a thread"]
      #expect(waits.contains { text.contains($0) }, "\(text)")
    #endif
  }

  @Test("An error of the test is rethrown")
  func errors() async {
    struct Broken: Error {}
    let trait: HangReportTrait = .hangReport(after: .seconds(3600))
    await #expect(throws: Broken.self) {
      let test = try #require(Test.current)
      try await trait.provideScope(for: test, testCase: nil) { throw Broken() }
    }
  }

  @Test("A report doesn't need a thread of the pool, all of which are blocked")
  func blockedPool() async throws {
    let found = try await issues(after: .milliseconds(1)) { recorded in
      let isOver = DispatchSemaphore(value: 0)
      // More tasks than the pool has threads.
      let tasks = (0..<64).map { _ in Task.detached { wait(for: isOver) } }
      await recorded.wait()
      for _ in tasks { isOver.signal() }
      for task in tasks { await task.value }
    }
    #expect(found.count == 1)
  }

  @Test("Many tests are watched at the same time")
  func many() async throws {
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<16 {
        group.addTask {
          number.isMultiple(of: 4)
            ? try await issues(after: .milliseconds(1)) { await $0.wait() }.count
            : try await issues(after: .seconds(3600)) { _ in await Task.yield() }.count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(count == 4)
  }
}

/// Blocks the thread. It isn't called in an asynchronous function directly, where that is an error.
private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
