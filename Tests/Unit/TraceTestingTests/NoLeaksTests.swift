import ReactiveKit
import TestSupport
import Testing
import TraceTesting

private let prices = PassthroughSubject<Int, Never>()

@Suite("The trait noLeaks, for tests that leave nothing behind", .noLeaks(.subscriptions, .tasks))
struct CleanTests {
  @Test("A subscription that is disposed isn't a leak")
  func subscription() {
    Cart().openWeakly(prices)
  }

  @Test("A task that ends isn't a leak", arguments: 1...3)
  func task(number: Int) async {
    let task = Task { number }
    #expect(await task.value == number)
    Task { await Task.yield() }
  }

  @Test("Work on the main actor that ends soon after the test isn't a leak")
  @MainActor func mainActor() {
    let cart = Cart()
    Task { cart.openWeakly(prices) }
  }
}

@Suite("Leak checks of tests", .ownThread)
struct NoLeaksTests {
  /// Returns the findings about a body.
  private func findings(
    _ kinds: LeakKinds = .all, _ body: () async throws -> Void
  ) async throws -> [LeakReport.Finding] {
    do {
      try await Trace.expectNoLeaks(of: kinds, grace: .milliseconds(1), body)
      return []
    } catch let report as LeakReport {
      return report.findings
    }
  }

  @Test("A subscription that isn't disposed is found, with its cycle and its place")
  func subscription() async throws {
    let found = try await findings { Cart().openStrongly(prices) }
    #expect(found.map(\.kind) == [.subscriptions])
    let finding = try #require(found.first)
    #expect(finding.description.contains("cart.prices"))
    #expect(finding.description.contains("kept alive by a cycle"))
    #expect(finding.source?.hasPrefix("TraceTestingTests/Shop.swift:") == true)
    #expect(try await findings(.tasks) { Cart().openStrongly(prices) }.isEmpty)
  }

  @Test("The trait records an issue at the line of the mistake")
  func place() async throws {
    let test = try #require(Test.current)
    try await withKnownIssue {
      let trait: NoLeaksTrait = .noLeaks(.subscriptions, grace: .milliseconds(1))
      try await trait.provideScope(for: test, testCase: Test.Case.current) {
        Cart().openStrongly(prices)
      }
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("kept alive by a cycle") }
        && issue.sourceLocation?.fileName == "Shop.swift"
        && issue.sourceLocation?.path.hasSuffix("Tests/Unit/TraceTestingTests/Shop.swift") == true
    }
  }

  @Test("The errors of a test are rethrown, and leaks aren't searched for")
  func errors() async {
    struct Broken: Error {}
    await #expect(throws: Broken.self) {
      try await Trace.expectNoLeaks(of: .all) {
        await Task.yield()
        throw Broken()
      }
    }
  }

  @Test("A synchronous check finds the same subscriptions")
  func synchronous() throws {
    let error = #expect(throws: LeakReport.self) { try checkNow() }
    #expect(error?.findings.map(\.kind) == [.subscriptions])
    #expect(error?.description.contains("cart.prices") == true)
  }

  private func checkNow() throws {
    try Trace.expectNoLeaks(of: .all, grace: .milliseconds(1)) { Cart().openStrongly(prices) }
  }
}

@Suite("Leak checks of tasks", .ownThread)
struct TaskLeakTests {
  // The stuck tasks that a check finds are tested in processes with little memory (LeftTasksTests).

  @Test("A task that waits for something that can still come isn't a leak")
  func open() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    try await Trace.expectNoLeaks(of: .tasks, grace: .milliseconds(1)) {
      Task { for await _ in stream {} }
      await Task.yield()
    }
    continuation.finish()
  }

  @Test("A check of tasks that have ended doesn't wait")
  func ended() async throws {
    let start = ContinuousClock.now
    let result = try await Trace.expectNoLeaks(of: .tasks, grace: .seconds(3600)) {
      Task { await Task.yield() }
      return await Task { 7 }.value
    }
    #expect(result == 7)
    #expect(ContinuousClock.now - start < .seconds(3600))
  }
}
