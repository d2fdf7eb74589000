import Dispatch
import ReactiveKit
import ReactiveTrace
import SystemLibrary

/// Runs tasks one after the other.
private final class SerialExecutor: TaskExecutor {
  static let shared = SerialExecutor()
  private let queue = DispatchQueue(label: "feeds")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Returns when what runs now has ended or waits.
  func waitForCurrent() { queue.sync {} }
}

/// A feed whose task iterates over a signal that only the task keeps alive.
private final class NewsFeed: @unchecked Sendable {
  private let news = PassthroughSubject<String, Never>()
  private var items: [String] = []

  func follow() {
    Task(executorPreference: SerialExecutor.shared) {
      for await item in self.news.lane("news").values { self.items.append(item) }
    }
  }
}

/// A task that leaks because it iterates over the values of its own signal.
enum LeakedValues {
  static func leave() {
    start()
    // The task must have begun to wait before the log ends.
    while Trace.activeSubscriptions.isEmpty { sched_yield() }
    SerialExecutor.shared.waitForCurrent()
  }

  @inline(never)
  private static func start() { NewsFeed().follow() }
}
