import Foundation
import ReactiveKit
import TestThreads
package import Testing

/// A trait that runs each test on its own thread, which the test may block.
///
/// Swift Testing runs tests on a pool that has as many threads as the machine has cores. A test may
/// wait there for a child process, another thread, or a condition. It then takes a thread away from
/// all other tests. As many waiting tests as there are cores stop the run forever if they wait for
/// something that needs the pool too.
///
/// Child tasks of the test also run on its thread. A test that blocks must not wait for one of
/// them.
package struct OwnThreadTrait: SuiteTrait, TestTrait, TestScoping {
  package let isRecursive = true

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    let thread = await ThreadsOfTests.all.take()
    defer { ThreadsOfTests.all.giveBack(thread) }
    try await withTaskExecutorPreference(thread) { try await body() }
  }
}

extension Trait where Self == OwnThreadTrait {
  /// A trait for tests that wait. Each test runs on its own thread instead of on the pool of all
  /// tests.
  package static var ownThread: Self { Self() }
}

/// A thread that runs jobs in order, until the process ends.
private final class TestThread: TaskExecutor {
  private let jobs = Locked<[UnownedJob]>([])
  private let hasMore = DispatchSemaphore(value: 0)

  init() {
    // The same stack size as the threads of the pool.
    startThread(stackSize: 8 << 20) { [self] in
      while true {
        hasMore.wait()
        jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    hasMore.signal()
  }
}

/// The threads for tests that wait. Their number is limited, so that the tests neither pile up
/// processes nor slow each other to a crawl.
private final class ThreadsOfTests: Sendable {
  private struct State {
    var free: [TestThread]
    var waiting: [CheckedContinuation<TestThread, Never>] = []
  }

  static let all = ThreadsOfTests(2 * max(2, ProcessInfo.processInfo.activeProcessorCount))

  private let state: Locked<State>

  private init(_ count: Int) {
    state = Locked(State(free: (0..<count).map { _ in TestThread() }))
  }

  /// Waits until a thread is free, without blocking a thread.
  func take() async -> TestThread {
    await withCheckedContinuation { continuation in
      let free = state.withLock { state in
        if state.free.isEmpty { state.waiting.append(continuation) }
        return state.free.popLast()
      }
      if let free { continuation.resume(returning: free) }
    }
  }

  func giveBack(_ thread: TestThread) {
    let next = state.withLock { state in
      if state.waiting.isEmpty {
        state.free.append(thread)
        return nil as CheckedContinuation<TestThread, Never>?
      }
      return state.waiting.removeFirst()
    }
    next?.resume(returning: thread)
  }
}
