import TraceAnalysis

/// The search for a string in the log.
struct SearchState: Sendable {
  enum Direction: Sendable {
    case forward, backward
  }

  /// The condition of a step to another hit.
  enum Need {
    case nothing
    /// The search must run again, because the log has changed.
    case newSearch
    /// The step follows when the search is complete.
    case completion
  }

  /// The search and its hits so far, or `nil` if nothing was searched for.
  private(set) var result: SearchResult?
  /// The direction in which to go to a hit when the search is complete, or `nil` to stay.
  private var pendingStep: Direction?

  /// Starts a search that goes to the next hit.
  mutating func start(_ text: SearchText) {
    result = SearchResult(text: text)
    pendingStep = .forward
  }

  mutating func end() { result = nil }

  /// Notes that the hits are about another filter.
  mutating func invalidate() { result?.revision = -1 }

  /// Takes the results of a search. Returns the direction in which to go to a hit now, if any.
  mutating func take(_ new: SearchResult) -> Direction? {
    guard let result, result.text == new.text else { return nil }
    self.result = new
    guard new.isComplete else { return nil }
    defer { pendingStep = nil }
    return pendingStep
  }

  /// Prepares a step to another hit, and returns what it needs first.
  ///
  /// - Parameter revision: The revision of the shown log.
  mutating func prepareStep(
    _ direction: Direction, from position: LogEvent.Position, revision: Int
  ) -> Need {
    guard let result else { return .nothing }
    let wraps = result.hit(direction, from: position)?.wraps ?? true
    // In a growing log, earlier hits stay valid, but the records after them need a new search.
    let isStale = result.revision < 0 || (wraps && result.revision != revision)
    if result.isComplete, !isStale { return .nothing }
    pendingStep = direction
    return result.isComplete ? .newSearch : .completion
  }
}

/// The hits of a search so far.
struct SearchResult: Sendable {
  struct Hit: Sendable {
    let position: LogEvent.Position
    /// The index in the lifecycles.
    let lifecycle: Int32
  }

  var text: SearchText
  /// The hits in the order of their positions.
  var hits: [Hit] = []
  /// A Boolean value that indicates whether there are more hits than are kept.
  var isCut = false
  var isComplete = false
  /// The progress, from 0 to 1.
  var progress = 0.0
  /// The revision of the log.
  var revision = 0

  static let maxHits = 500_000

  /// Returns the next hit from a position in a direction. The search wraps around at the ends.
  func hit(
    _ direction: SearchState.Direction, from position: LogEvent.Position
  ) -> (hit: Hit, index: Int, wraps: Bool)? {
    guard let first = hits.first, let last = hits.last else { return nil }
    switch direction {
    case .forward:
      let index = hits.partitionPoint { $0.position > position }
      return index < hits.count ? (hits[index], index, false) : (first, 0, true)
    case .backward:
      let index = hits.partitionPoint { $0.position >= position }
      return index > 0 ? (hits[index - 1], index - 1, false) : (last, hits.count - 1, true)
    }
  }
}
