import Foundation
import ReactiveKit
import TestThreads
package import Testing

/// Runs each test on a thread of its own, which it may block.
///
/// Swift Testing runs tests on a pool that has as many threads as the machine has cores. A test that waits there for a
/// child process, another thread or a condition takes one of them from all other tests; as many such tests as there are
/// cores stop the run for ever if what they wait for needs the pool too.
///
/// Child tasks of the test run on its thread as well: a test that blocks does not wait for one of them.
package struct OwnThreadTrait: SuiteTrait, TestTrait, TestScoping {
  package let isRecursive = true

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    await Turnstile.tests.enter()
    defer { Turnstile.tests.leave() }
    let executor = ThreadExecutor()
    defer { executor.stop() }
    try await withTaskExecutorPreference(executor) { try await body() }
  }
}

extension Trait where Self == OwnThreadTrait {
  /// For tests that wait: each runs on a thread of its own instead of on the pool of all tests.
  package static var ownThread: Self { Self() }
}

/// One thread that runs the jobs of a test in their order.
private final class ThreadExecutor: TaskExecutor {
  private struct Queue {
    var jobs: [UnownedJob] = []
    var hasStopped = false
  }

  private let queue = Locked(Queue())
  private let hasMore = DispatchSemaphore(value: 0)

  init() {
    // A test that runs on the pool has this much, too.
    startThread(stackSize: 8 << 20) { [self] in run() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.withLock { $0.jobs.append(job) }
    hasMore.signal()
  }

  /// The thread ends when it has run what was enqueued.
  func stop() {
    queue.withLock { $0.hasStopped = true }
    hasMore.signal()
  }

  private func run() {
    while true {
      hasMore.wait()
      let job = queue.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
      guard let job else {
        if queue.withLock({ $0.hasStopped && $0.jobs.isEmpty }) { return }
        continue
      }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

/// Lets through only so many at a time, so that tests that wait neither pile up processes nor slow each other to a crawl.
private final class Turnstile: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  static let tests = Turnstile(2 * max(2, ProcessInfo.processInfo.activeProcessorCount))

  private let state: Locked<State>

  private init(_ free: Int) {
    state = Locked(State(free: free))
  }

  func enter() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free == 0 {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func leave() {
    let next = state.withLock { state in
      if state.waiting.isEmpty {
        state.free += 1
        return nil as CheckedContinuation<Void, Never>?
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
