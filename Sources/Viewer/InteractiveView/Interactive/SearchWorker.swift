import Dispatch
import Synchronization
import TraceAnalysis
import TraceFormat

/// A worker that searches a whole log for what a query selects, away from the thread that draws.
final class SearchWorker: Sendable {
  private let queue = DispatchQueue(label: "trace-viewer.search", qos: .userInitiated)
  private let messageQueue: MessageQueue
  /// A number that increases with each search. A search with an earlier number stops.
  private let generation = Atomic(0)

  init(_ messageQueue: MessageQueue) {
    self.messageQueue = messageQueue
  }

  func stop() {
    generation.wrappingAdd(1, ordering: .relaxed)
  }

  func start(_ query: Query, in viewed: ViewedLog) {
    let number = generation.wrappingAdd(1, ordering: .relaxed).newValue
    queue.async { self.search(query, viewed, number) }
  }

  /// Counts the subscriptions that pass a filter.
  func count(_ filter: ViewFilter, in judged: JudgedLog) {
    let number = generation.wrappingAdd(1, ordering: .relaxed).newValue
    queue.async {
      guard self.isCurrent(number) else { return }
      let count = judged.count(filter) { self.isCurrent(number) }
      guard self.isCurrent(number), let count else { return }
      self.messageQueue.post(.counted(count, of: filter))
    }
  }

  /// Finds the rows of a comparison that a query selects.
  ///
  /// - Parameter find: Returns the rows, or nil if a log can't be read any more. It may return
  ///   early when `isWanted` returns false.
  func start(
    _ query: Query,
    _ find: @escaping @Sendable (_ isWanted: @escaping @Sendable () -> Bool) -> [Int]?
  ) {
    let number = generation.wrappingAdd(1, ordering: .relaxed).newValue
    queue.async {
      guard self.isCurrent(number) else { return }
      let rows = find { self.isCurrent(number) }
      guard self.isCurrent(number) else { return }
      self.messageQueue.post(.comparedRows(rows, of: query))
    }
  }

  private func isCurrent(_ number: Int) -> Bool {
    generation.load(ordering: .relaxed) == number
  }

  private func search(_ query: Query, _ viewed: ViewedLog, _ number: Int) {
    guard isCurrent(number) else { return }
    var state = SearchResult(query: query)
    state.revision = viewed.snapshot.revision
    let total = max(1, viewed.log.files.reduce(0) { $0 + $1.size })
    let read = Atomic(0)
    let shown = Atomic(0)
    let progress: @Sendable (Int) -> Void = { [state] bytes in
      let percent = read.wrappingAdd(bytes, ordering: .relaxed).newValue * 100 / total
      let last = shown.load(ordering: .relaxed)
      guard percent >= last + 5,
        shown.compareExchange(expected: last, desired: percent, ordering: .relaxed).exchanged,
        self.isCurrent(number)
      else { return }
      var partial = state
      partial.progress = Double(percent) / 100
      self.messageQueue.post(.searched(partial))
    }
    let result = Self.result(query, in: viewed, progress) { self.isCurrent(number) }
    guard isCurrent(number) else { return }
    messageQueue.post(.searched(result))
  }

  /// Searches the whole log and returns all hits.
  static func result(
    _ query: Query, in viewed: ViewedLog, _ progress: (@Sendable (Int) -> Void)? = nil,
    isWanted: @escaping @Sendable () -> Bool = { true }
  ) -> SearchResult {
    let found = try? query.hits(
      in: viewed.excerpt, viewed.judged.facts, progress: progress, isWanted: isWanted)
    var state = SearchResult(query: query)
    state.revision = viewed.snapshot.revision
    state.hits = found?.hits ?? []
    state.hits.sort { ($0.position, $0.lifecycle) < ($1.position, $1.lifecycle) }
    state.members = found?.members ?? []
    state.isCut = found?.isCut ?? false
    state.isComplete = true
    state.progress = 1
    return state
  }
}
