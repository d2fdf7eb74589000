import Dispatch
import SystemLibrary
import TraceFormat

/// A distributor that hands out the parts of files, and merges the results in order.
///
/// It hands out only as many parts as `slots` before one of them is merged. With a million
/// subscriptions, merging takes longer than reading, and the results that wait would take twice the
/// memory of the whole. It also hands out smaller parts as soon as the whole prefers that.
final class RangeJoining<Visitor: MergingVisitor>: Sendable {
  struct Found: Sendable {
    let file: Int
    let visitor: Visitor
    let tally: ReadingTally
  }

  /// Ranges that follow each other in a file, and are read as one.
  struct Part: Equatable, Sendable {
    var numbers: Range<Int>
    let file: Int
    var range: Range<Int>
  }

  private struct State {
    var next = 0
    /// The results that can't be merged yet, because an earlier part is missing, by the number of
    /// their first range.
    var waiting: [Int: (found: Found, ranges: Int)] = [:]
    /// The number of ranges in the merged result, or that a thread adds to it.
    var joined = 0
    var prefersSmallParts = false
    /// The merged result; nil while a thread adds a part to it.
    var whole: Visitor?
    var tallies: [ReadingTally]
    var error: LogError?
  }

  private let state: BlockingMutex<State>
  private let ranges: [ParallelReading.FileRange]
  private let group: Int
  /// How many more parts may be handed out.
  private let slots = DispatchSemaphore(value: 0)

  /// Creates a distributor.
  ///
  /// - Parameters:
  ///   - whole: The result of everything before the first part.
  ///   - tallies: The tally of each file before the first part.
  ///   - ranges: The ranges of the files, in their order.
  ///   - group: The maximum number of ranges in a part, while the whole doesn't prefer small parts.
  ///     A small part has one range.
  ///   - slots: The maximum number of parts that are being read or wait to be merged.
  init(
    _ whole: consuming Visitor, _ tallies: [ReadingTally], ranges: [ParallelReading.FileRange],
    group: Int = 1, slots: Int
  ) {
    self.ranges = ranges
    self.group = group
    for _ in 0..<slots { self.slots.signal() }
    state = BlockingMutex(State(whole: whole, tallies: tallies))
  }

  /// Returns the next part to read; nil if none is left. Waits while too many parts aren't merged.
  /// The caller must pass each part to `give` or call `fail`.
  ///
  /// The first part that isn't merged always has a slot, so the wait ends.
  func take() -> Part? {
    slots.wait()
    let part = state.withLock { state -> Part? in
      guard state.error == nil, state.next < ranges.count else { return nil }
      let part = self.part(from: state.next, maxCount: state.prefersSmallParts ? 1 : group)
      state.next = part.numbers.upperBound
      return part
    }
    if part == nil { slots.signal() }
    return part
  }

  private func part(from number: Int, maxCount: Int) -> Part {
    let first = ranges[number]
    var part = Part(numbers: number..<number + 1, file: first.file, range: first.range)
    for next in ranges[(number + 1)...].prefix(maxCount - 1) {
      guard next.file == part.file, next.range.lowerBound == part.range.upperBound else { break }
      part.numbers = number..<part.numbers.upperBound + 1
      part.range = part.range.lowerBound..<next.range.upperBound
    }
    return part
  }

  /// Adds a part to those before it, and then the parts that waited for it. One thread at a time
  /// does so; the others continue to read.
  func give(_ found: Found, _ part: Part) {
    state.withLock { $0.waiting[part.numbers.lowerBound] = (found, part.numbers.count) }
    while true {
      var whole: Visitor?
      let next = state.withLock { state -> (Found, lines: Int, malformed: Int?)? in
        guard state.whole != nil,
          let (next, ranges) = state.waiting.removeValue(forKey: state.joined)
        else { return nil }
        state.joined += ranges
        // Swap instead of copying: with a second reference, the next change would copy all of it.
        swap(&whole, &state.whole)
        let lines = state.tallies[next.file].lines
        return (next, lines, state.tallies[next.file].append(next.tally))
      }
      guard let (found, lines, malformed) = next else { return }
      if let malformed { whole?.skip(.malformed, line: malformed) }
      whole?.append(found.visitor, lines: lines)
      state.withLock { state in
        state.prefersSmallParts = whole?.prefersSmallParts ?? false
        swap(&whole, &state.whole)
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
