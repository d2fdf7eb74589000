import Dispatch
import SystemLibrary

#if Causes
  import TraceCauses
#endif

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

  /// Returns the stuck tasks that have each mark. This blocks the calling thread, which must not be
  /// one of the pool that runs tasks.
  static func find(from origins: [WeakReference], limit: Int) -> [[StuckTask]] {
    guard limit > 0, LeakExplanations.mayBegin, LeakExplanations.hasStack else {
      return origins.map { _ in [] }
    }
    return StuckTask.find(from: origins.map(\.invertedAddress), limit: limit)
  }

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
