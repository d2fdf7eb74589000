import SystemLibrary
import TraceFormat

/// Hands out the stretches of files, and puts together what was found in them, in their order.
final class RangeJoining<Visitor: MergingVisitor>: Sendable {
  struct Found: Sendable {
    let file: Int
    let visitor: Visitor
    let tally: ReadingTally
  }

  private struct State {
    var next = 0
    /// Read, but something before them is not.
    var waiting: [Int: Found] = [:]
    var joined = 0
    /// Nil while a thread adds a stretch to it.
    var whole: Visitor?
    var tallies: [ReadingTally]
    var error: LogError?
  }

  private let state: BlockingMutex<State>
  private let stretches: Int

  /// - Parameters:
  ///   - whole: what was found before the first of them.
  ///   - tallies: what was met before them in each file.
  init(_ whole: consuming Visitor, _ tallies: [ReadingTally], stretches: Int) {
    self.stretches = stretches
    state = BlockingMutex(State(whole: whole, tallies: tallies))
  }

  /// The next stretch to read; nil where none is left.
  func take() -> Int? {
    state.withLock { state in
      guard state.error == nil, state.next < stretches else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  /// Adds a stretch to those before it, and then what waited for it. One thread does so at a time; the others go on reading.
  func give(_ found: Found, _ number: Int) {
    state.withLock { $0.waiting[number] = found }
    while true {
      var whole: Visitor?
      let next = state.withLock { state -> (Found, lines: Int, malformed: Int?)? in
        guard state.whole != nil, let next = state.waiting.removeValue(forKey: state.joined)
        else { return nil }
        // Swapped, not copied: a second reference would make the next change copy all of it.
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

  /// Everything, once all stretches were given.
  func finish() throws(LogError) -> (visitor: Visitor, tallies: [ReadingTally])? {
    var whole: Visitor?
    let (error, tallies) = state.withLock { state in
      // Taken out: a second reference would make the next change copy all of it.
      swap(&whole, &state.whole)
      return (state.error, state.tallies)
    }
    if let error { throw error }
    return whole.map { ($0, tallies) }
  }
}
