import Dispatch
import SystemLibrary
import TraceFormat

/// A distributor that hands out the parts of files, and merges the results in order.
///
/// It hands out only as many parts as `slots` before one of them is merged. With a million
/// subscriptions, merging takes longer than reading, and the results that wait would take twice the
/// memory of the whole.
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
  /// How many more parts may be handed out.
  private let slots = DispatchSemaphore(value: 0)

  /// Creates a distributor.
  ///
  /// - Parameters:
  ///   - whole: The result of everything before the first part.
  ///   - tallies: The tally of each file before the first part.
  ///   - slots: The maximum number of parts that are being read or wait to be merged.
  init(_ whole: consuming Visitor, _ tallies: [ReadingTally], ranges: Int, slots: Int) {
    self.ranges = ranges
    for _ in 0..<slots { self.slots.signal() }
    state = BlockingMutex(State(whole: whole, tallies: tallies))
  }

  /// Returns the next part to read; nil if none is left. Waits while too many parts aren't merged.
  /// The caller must pass each part to `give` or call `fail`.
  ///
  /// The first part that isn't merged always has a slot, so the wait ends.
  func take() -> Int? {
    slots.wait()
    let part: Int? = state.withLock { state in
      guard state.error == nil, state.next < ranges else { return nil }
      defer { state.next += 1 }
      return state.next
    }
    if part == nil { slots.signal() }
    return part
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
      slots.signal()
    }
  }

  func fail(_ error: LogError) {
    state.withLock { $0.error = $0.error ?? error }
    slots.signal()
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
