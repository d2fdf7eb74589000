import Dispatch
import SystemLibrary
import TraceFormat

/// The searches for tasks that tests have left behind.
///
/// Tests that end at about the same time share a search, because each search copies the memory.
/// What remains of its list of tasks would also hide tasks from the next search.
final class StuckTaskSearches: Sendable {
  static let all = StuckTaskSearches()

  private struct Request {
    let origin: WeakReference
    let limit: Int
    let continuation: CheckedContinuation<[StuckTask], Never>
  }

  private let requests = BlockingGuarded<[Request]>([])
  /// Searches need a thread of their own, because tasks may need a thread of the pool to continue.
  private let queue = DispatchQueue(label: "ReactiveTrace.searches")

  /// Returns the stuck tasks that have a mark, which the calling code must not retain.
  ///
  /// - Parameter limit: The maximum time, in nanoseconds.
  func find(
    from origin: WeakReference, limit: Int, isolation: isolated (any Actor)? = #isolation
  ) async -> [StuckTask] {
    await withCheckedContinuation { continuation in
      let request = Request(origin: origin, limit: limit, continuation: continuation)
      requests.withLock { $0.append(request) }
      queue.async { [self] in searchForAll() }
    }
  }

  /// Returns the stuck tasks that have each mark. If there may be others, a warning says why. This
  /// blocks the calling thread, which must not be one of the pool that runs tasks.
  static func find(from origins: [WeakReference], limit: Int) -> [[StuckTask]] {
    guard limit > 0, LeakExplanations.mayBegin else { return origins.map { _ in [] } }
    guard let search = Causes.search else {
      _ = warningWithoutSearch
      return origins.map { _ in [] }
    }
    guard LeakExplanations.hasStack else {
      warn(.memory)
      return origins.map { _ in [] }
    }
    let found = search.stuckTasks(from: origins.map(\.invertedAddress), limit: limit)
    if let limit = found.limit { warn(limit) }
    return found.tasks
  }

  private static func warn(_ limit: Retention.Limit) {
    let reason =
      switch limit {
      case .time:
        """
        the search took too long, or a thread ran during all of it, and REACTIVE_TRACE_EXPLAIN=10 \
        allows 10 seconds
        """
      case .memory: "the process has too much memory, or too little left"
      default: "the memory of the process can't be searched"
      }
    Diagnostics.warn("a test may have left behind tasks without an end: \(reason).")
  }

  private static let warningWithoutSearch: Void = Diagnostics.warn(
    "tests aren't checked for tasks that can't end: \(Causes.reasonForNone).")

  private func searchForAll() {
    let requests = requests.withLock { requests in
      defer { requests = [] }
      return requests
    }
    guard !requests.isEmpty else { return }
    let found = Self.find(
      from: requests.map(\.origin), limit: requests.map(\.limit).max() ?? 0)
    for (request, tasks) in zip(requests, found) {
      request.continuation.resume(returning: tasks)
    }
  }
}
