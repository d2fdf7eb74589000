import TerminalUI
import TraceAnalysis
import TraceFormat

/// A search, and what it has found so far.
struct SearchState: Sendable {
  struct Hit: Sendable {
    let position: LogEvent.Position
    /// The place in the lifecycles.
    let lifecycle: Int32
  }

  var text: SearchText
  /// In the order of their positions.
  var hits: [Hit] = []
  /// Whether there are more than are kept.
  var isCut = false
  var isComplete = false
  /// From 0 to 1.
  var progress = 0.0
  /// Of which state of the log.
  var revision = 0

  static let mostHits = 500_000

  /// The first hit behind a position, or the last before it; beyond the end it goes on at the other.
  func hit(from position: LogEvent.Position, forward: Bool) -> (hit: Hit, number: Int, wraps: Bool)?
  {
    guard let first = hits.first, let last = hits.last else { return nil }
    if forward {
      let place = Population.count(hits) { $0.position <= position }
      return place < hits.count ? (hits[place], place, false) : (first, 0, true)
    }
    let place = Population.count(hits) { $0.position < position }
    return place > 0 ? (hits[place - 1], place - 1, false) : (last, hits.count - 1, true)
  }
}
