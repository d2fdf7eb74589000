import TraceAnalysis
import TraceFormat

/// The search for what a query selects in the log.
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
  /// The search before the prompt was opened.
  private var earlier: SearchResult?
  /// A Boolean value for each lane of the timeline that indicates whether it has a hit.
  private(set) var lanes: [Bool] = []

  // MARK: Searching while a text is typed

  /// Remembers the search to which `cancel` returns.
  mutating func begin() { earlier = result }

  /// Starts a search that doesn't go to a hit.
  mutating func preview(_ query: Query?) {
    result = query.map { SearchResult(query: $0) }
    pendingStep = nil
    lanes = []
  }

  /// Returns to the search before the prompt was opened.
  mutating func cancel(_ outline: TimelineRows) {
    result = earlier
    pendingStep = nil
    note(outline)
  }

  /// Starts a search that goes to the next hit.
  mutating func start(_ query: Query) {
    result = SearchResult(query: query)
    pendingStep = .forward
  }

  mutating func end() {
    result = nil
    lanes = []
  }

  /// Notes which lanes of the timeline have hits.
  mutating func note(_ outline: TimelineRows) {
    lanes = []
    guard let result, !result.members.isEmpty else { return }
    lanes = Array(repeating: false, count: outline.lanes.count)
    var unmarked = outline.lanes.count { !$0.members.isEmpty }
    for member in result.members where unmarked > 0 {
      guard let item = outline.item(of: Int(member)), !lanes[item.lane] else { continue }
      lanes[item.lane] = true
      unmarked -= 1
    }
  }

  /// Notes that the hits are about another filter.
  mutating func invalidate() { result?.revision = -1 }

  /// Takes the results of a search. Returns the direction in which to go to a hit now, if any.
  mutating func take(_ new: SearchResult, _ outline: TimelineRows) -> Direction? {
    guard let result, result.query == new.query else { return nil }
    self.result = new
    note(outline)
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
  var query: Query
  /// The hits in the order of their positions.
  var hits: [QueryHit] = []
  /// The subscriptions with hits, as ascending indices in the lifecycles, each once. They are found
  /// away from the thread that draws, which then doesn't look at each hit.
  var members: [Int32] = []
  /// A Boolean value that indicates whether there are more hits than are kept.
  var isCut = false
  var isComplete = false
  /// The progress, from 0 to 1.
  var progress = 0.0
  /// The revision of the log.
  var revision = 0

  /// Returns the next hit from a position in a direction. The search wraps around at the ends.
  func hit(
    _ direction: SearchState.Direction, from position: LogEvent.Position
  ) -> (hit: QueryHit, index: Int, wraps: Bool)? {
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

extension QueryHit {
  var position: LogEvent.Position {
    LogEvent.Position(time: time, file: location.file, offset: location.offset)
  }
}

/// A request for the texts of some hits, which are read from the log.
struct HitRequest: Equatable, Sendable {
  let query: Query
  let revision: Int
  let range: Range<Int>
  let locations: [TraceRecord.Location]

  /// The maximum length in bytes of a record whose text is read. The thread that draws waits for
  /// the texts.
  static let maxLength = 16_384

  static func == (left: HitRequest, right: HitRequest) -> Bool {
    // The same search in the same log has the same hits.
    left.query == right.query && left.revision == right.revision && left.range == right.range
  }
}

/// The texts of the hits of a request. A text is `nil` if it isn't in the log or too long.
struct HitPage: Sendable {
  var request: HitRequest?
  var texts: [String?] = []
}
