import SystemLibrary
import TraceFormat

/// A distributor that hands out the parts of files, and merges the results in order.
final class RangeJoining<Visitor: MergingVisitor>: Sendable {
  struct Found: Sendable {
    let file: Int
    let visitor: Visitor
    let tally: ReadingTally
  }

  private struct State {
    var next = 0
    /// The results of parts that were read before all parts that precede them.
    var waiting: [Int: Found] = [:]
    var joined = 0
    /// The merged result; nil while a thread adds a part to it.
    var whole: Visitor?
    var tallies: [ReadingTally]
    var error: LogError?
  }

  private let state: BlockingMutex<State>
  private let ranges: Int

  /// Creates a distributor.
  ///
  /// - Parameters:
  ///   - whole: The result of everything before the first part.
  ///   - tallies: The tally of each file before the first part.
  init(_ whole: consuming Visitor, _ tallies: [ReadingTally], ranges: Int) {
    self.ranges = ranges
    state = BlockingMutex(State(whole: whole, tallies: tallies))
  }

  /// Returns the next part to read; nil if none is left.
  func take() -> Int? {
    state.withLock { state in
      guard state.error == nil, state.next < ranges else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  /// Adds a part to those before it, and then the parts that waited for it. One thread at a time
  /// does so; the others continue to read.
  func give(_ found: Found, _ number: Int) {
    state.withLock { $0.waiting[number] = found }
    while true {
      var whole: Visitor?
      let next = state.withLock { state -> (Found, lines: Int, malformed: Int?)? in
        guard state.whole != nil, let next = state.waiting.removeValue(forKey: state.joined)
        else { return nil }
        // Swap instead of copying: with a second reference, the next change would copy all of it.
        swap(&whole, &state.whole)
        let lines = state.tallies[next.file].lines
        return (next, lines, state.tallies[next.file].append(next.tally))
      }
      guard let (found, lines, malformed) = next else { return }
      if let malformed { whole?.skip(.malformed, line: malformed) }
      whole?.append(found.visitor, lines: lines)
      state.withLock { state in
        swap(&whole, &state.whole)
        state.joined += 1
      }
    }
  }

  func fail(_ error: LogError) {
    state.withLock { $0.error = $0.error ?? error }
  }

  /// Returns the whole result, once all parts were added.
  func finish() throws(LogError) -> (visitor: Visitor, tallies: [ReadingTally])? {
    var whole: Visitor?
    let (error, tallies) = state.withLock { state in
      // Take the value out: with a second reference, the next change would copy all of it.
      swap(&whole, &state.whole)
      return (state.error, state.tallies)
    }
    if let error { throw error }
    return whole.map { ($0, tallies) }
  }
}
