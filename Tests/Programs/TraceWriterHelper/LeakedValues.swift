import ReactiveKit
import ReactiveTrace
import SystemLibrary

/// A feed whose task iterates over a signal that only the task keeps alive.
private final class NewsFeed: @unchecked Sendable {
  private let news = PassthroughSubject<String, Never>()
  private var items: [String] = []

  func follow() {
    Task {
      for await item in news.lane("news").values { self.items.append(item) }
    }
  }
}

/// A task that leaks because it iterates over the values of its own signal.
enum LeakedValues {
  static func leave() {
    start()
    // The task must have begun to wait before the log ends.
    while Trace.activeSubscriptions.isEmpty { sched_yield() }
  }

  @inline(never)
  private static func start() { NewsFeed().follow() }
}
