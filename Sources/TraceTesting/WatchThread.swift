import Dispatch
import SystemLibrary

/// A thread of its own that runs the tasks that watch tests. It is independent of the threads that
/// run all other tasks, which can all be blocked.
final class WatchThread: TaskExecutor {
  static let shared = WatchThread()

  /// A task that waits for a time or for the end of its test.
  private struct Sleeper {
    let deadline: ContinuousClock.Instant
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var jobs: [UnownedJob] = []
    var sleepers: [ObjectIdentifier: Sleeper] = [:]
    /// The watches whose test ended before their task began to wait.
    var ended: Set<ObjectIdentifier> = []
  }

  private let state = BlockingMutex(State())
  private let hasNews = DispatchSemaphore(value: 0)

  private init() {
    // A queue that never returns has a thread of its own.
    DispatchQueue(label: "TraceTesting.watch").async { [self] in
      while true { run() }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    hasNews.signal()
  }

  /// Suspends a task of this thread until a time. Returns false if the test ended before.
  func sleep(until deadline: ContinuousClock.Instant, for watch: ObjectIdentifier) async -> Bool {
    await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        if state.ended.remove(watch) != nil { return true }
        state.sleepers[watch] = Sleeper(deadline: deadline, continuation: continuation)
        return false
      }
      if hasEnded { continuation.resume(returning: false) }
    }
  }

  /// Wakes the task of a watch, because its test has ended.
  func wake(_ watch: ObjectIdentifier) {
    let sleeper = state.withLock { state in
      let sleeper = state.sleepers.removeValue(forKey: watch)
      if sleeper == nil { state.ended.insert(watch) }
      return sleeper
    }
    sleeper?.continuation.resume(returning: false)
  }

  /// Forgets a watch whose task has ended after its test.
  func forget(_ watch: ObjectIdentifier) { state.withLock { _ = $0.ended.remove(watch) } }

  private func run() {
    let now = ContinuousClock.now
    let (jobs, due, next) = state.withLock { state in
      let due = state.sleepers.filter { $0.value.deadline <= now }
      for (watch, _) in due { state.sleepers[watch] = nil }
      defer { state.jobs = [] }
      return (state.jobs, due.map(\.value), state.sleepers.values.map(\.deadline).min())
    }
    for sleeper in due { sleeper.continuation.resume(returning: true) }
    for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
    guard jobs.isEmpty, due.isEmpty else { return }
    guard let next else { return hasNews.wait() }
    let left = (next - now).components
    _ = hasNews.wait(
      timeout: .now()
        + .nanoseconds(
          Int(clamping: left.seconds * 1_000_000_000 + left.attoseconds / 1_000_000_000)))
  }
}
