import TerminalUI
import TraceAnalysis
import TraceFormat

/// A search and its hits so far.
struct SearchState: Sendable {
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

  static let mostHits = 500_000

  /// Returns the first hit after a position, or the last one before it. The search wraps around at
  /// the ends.
  func hit(from position: LogEvent.Position, forward: Bool) -> (hit: Hit, number: Int, wraps: Bool)?
  {
    guard let first = hits.first, let last = hits.last else { return nil }
    if forward {
      let index = hits.partitionPoint { $0.position > position }
      return index < hits.count ? (hits[index], index, false) : (first, 0, true)
    }
    let index = hits.partitionPoint { $0.position >= position }
    return index > 0 ? (hits[index - 1], index - 1, false) : (last, hits.count - 1, true)
  }
}
