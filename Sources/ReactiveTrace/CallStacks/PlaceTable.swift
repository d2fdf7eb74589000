import CRuntime.OwnProcess
import ReactiveKit
import Synchronization
import SystemLibrary
import TraceFormat

/// The numbered call stacks under which the process observes signals, with the source locations
/// that were looked up.
///
/// The table belongs to the process and not to a log, because an observation can begin before the
/// log that records a part of it.
final class PlaceTable: Sendable {
  private struct Entry {
    let stack: CallStack
    var isLookedUp = false
    /// The source location, or nil if the lookup found nothing.
    var found: CodeLocation?
  }

  private struct State {
    var numbers: [UInt64: Int] = [:]
    /// The places by number. The first one stands for all places without a number.
    var entries = [Entry(stack: CallStack(addresses: []), isLookedUp: true)]
    var isFull = false
    /// A Boolean value that indicates whether a lookup ran out of time.
    var ranOutOfTime = false
  }

  /// The maximum number of places. A program that observes under more call stacks is probably
  /// recursive.
  private let maxCount: Int
  private let state = Guarded(State())
  /// The names of addresses, or nil in a program without the search for causes.
  let names: (any LocationNames)?
  /// The initial value of fingerprints. It is different for each table, because a thread caches the
  /// places of all tables together.
  private let seed: UInt64
  private static let seeds = Counter()

  init(
    _ names: (any LocationNames)? = Causes.search?.makeNames(), maxCount: Int = 10_000
  ) {
    self.names = names
    self.maxCount = maxCount
    seed = UInt64(truncatingIfNeeded: Self.seeds.next()) &* Self.factor
  }

  /// The table of the process. A child process begins with a new table, because the old table's
  /// lock can be held by a thread that doesn't exist in the child.
  private static let shared = Replaceable { PlaceTable() }
  static var current: PlaceTable { shared.current }
  static func beginInChild() { shared.replace(PlaceTable()) }

  private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Returns the place of the code that calls the caller of this function. Must not be called by a
  /// signal handler that interrupted the recorder.
  ///
  /// This takes about 50 nanoseconds. Two call stacks with equal fingerprints are treated as one
  /// place: with 10,000 places, that happens in one of 10^11 programs.
  ///
  /// - Parameter cache: The cache of the calling thread.
  @inline(never)
  func here(_ cache: inout PlaceCache) -> PlaceNumber {
    trace_enter()
    defer { trace_leave() }
    let walk = FrameWalk(from: UInt(bitPattern: trace_frame_address()))
    var (calls, fingerprint) = (walk, seed)
    while let address = calls.next() {
      fingerprint = (fingerprint ^ UInt64(address)) &* Self.factor
      fingerprint ^= fingerprint &>> 32
    }
    // The upper bits select the slot of the cache.
    fingerprint = fingerprint &* Self.factor
    if let number = cache.number(of: fingerprint) { return PlaceNumber(number: number) }
    return findSlowPath(fingerprint, &cache) { CallStack(walk) }
  }

  /// Returns the place of a task that begins with a function, started by the code with a frame.
  func place(
    of function: UInt, startedFrom frame: UInt, _ cache: inout PlaceCache
  ) -> PlaceNumber {
    place(&cache) { body in
      // A location is looked up in the call before a return address.
      body(function &+ 1)
      var calls = FrameWalk(from: frame)
      while let address = calls.next() { body(address) }
    }
  }

  /// Returns the place of the addresses with which `visit` calls its argument, innermost first.
  /// `visit` is called again for a new place.
  func place(
    _ cache: inout PlaceCache, _ visit: ((UInt) -> Void) -> Void
  ) -> PlaceNumber {
    trace_enter()
    defer { trace_leave() }
    var fingerprint = seed
    visit { address in
      fingerprint = (fingerprint ^ UInt64(address)) &* Self.factor
      fingerprint ^= fingerprint &>> 32
    }
    fingerprint = fingerprint &* Self.factor
    if let number = cache.number(of: fingerprint) { return PlaceNumber(number: number) }
    return findSlowPath(fingerprint, &cache) {
      var addresses: [UInt] = []
      visit { addresses.append($0) }
      return CallStack(addresses: addresses, ownCalls: 0)
    }
  }

  @inline(never)
  private func findSlowPath(
    _ fingerprint: UInt64, _ cache: inout PlaceCache, _ stack: () -> CallStack
  ) -> PlaceNumber {
    let known = state.withLock { state in
      state.numbers[fingerprint] ?? (state.entries.count > maxCount ? 0 : nil)
    }
    let number = known ?? add(fingerprint, stack())
    if number == 0 { warnIfFull() }
    cache.remember(fingerprint, number)
    return PlaceNumber(number: number)
  }

  private func add(_ fingerprint: UInt64, _ stack: CallStack) -> Int {
    if stack.addresses.isEmpty { return 0 }
    return state.withLock { state in
      if let known = state.numbers[fingerprint] { return known }
      let number = state.entries.count
      guard number <= maxCount else { return 0 }
      state.numbers[fingerprint] = number
      state.entries.append(Entry(stack: stack))
      return number
    }
  }

  private func warnIfFull() {
    let isNew = state.withLock { state in
      let isNew = state.entries.count > maxCount && !state.isFull
      if isNew { state.isFull = true }
      return isNew
    }
    guard isNew else { return }
    Diagnostics.warn(
      "signals are observed under more than \(maxCount) call stacks. Further ones are recorded "
        + "as the place \(PlaceNumber.unknown.name).")
  }

  /// Returns the calls that led to a place, innermost first, without the call at the place itself.
  /// They are empty if the place wasn't looked up.
  func callers(of place: PlaceNumber) -> [CodeLocation] {
    guard let names, let found = known(place).found else { return [] }
    let calls = names.knownCallers([stack(of: place)])[0]
    return Array(calls.drop { $0 != found }.dropFirst())
  }

  func stack(of place: PlaceNumber) -> CallStack {
    state.withLock {
      $0.entries[$0.entries.indices.contains(place.number) ? place.number : 0].stack
    }
  }

  /// Returns whether a place was looked up, and what was found.
  func known(_ place: PlaceNumber) -> (isLookedUp: Bool, found: CodeLocation?) {
    state.withLock { state in
      guard state.entries.indices.contains(place.number) else { return (true, nil) }
      let entry = state.entries[place.number]
      return (entry.isLookedUp, entry.found)
    }
  }

  /// Looks up the unknown places and functions in one pass over the debug information. Returns
  /// whether there was time for all of them, also in earlier lookups.
  ///
  /// - Parameter limit: The maximum time, in nanoseconds, or nil for one second.
  func lookUp(_ places: [PlaceNumber], functions: [UInt], limit: Int? = nil) -> Bool {
    let new = state.withLock { state in
      places.compactMap { place -> (number: Int, stack: CallStack)? in
        guard state.entries.indices.contains(place.number),
          !state.entries[place.number].isLookedUp
        else { return nil }
        return (place.number, state.entries[place.number].stack)
      }
    }
    guard !new.isEmpty || !functions.isEmpty else { return state.withLock { !$0.ranOutOfTime } }
    let stacks = new.map(\.stack)
    let isInTime = names?.lookUp(stacks: stacks, functions: functions, limit: limit) ?? true
    let locations = names?.known(stacks) ?? stacks.map { _ in nil }
    return state.withLock { state in
      for (place, location) in zip(new, locations) {
        state.entries[place.number].isLookedUp = true
        state.entries[place.number].found = location
      }
      state.ranOutOfTime = state.ranOutOfTime || !isInTime
      return !state.ranOutOfTime
    }
  }
}

/// A location that observes signals: a call of `observeNext`, `sink`, `bind` or a similar function,
/// identified by its call stack. See `PlaceTable`.
package struct PlaceNumber: Hashable, Sendable {
  /// The number, starting at 1. Number 0 stands for all locations without a number.
  package let number: Int

  package init(number: Int) { self.number = number }

  /// The place of all locations whose call stack is unknown or didn't fit into the table.
  package static let unknown = PlaceNumber(number: 0)

  static let prefix: StaticString = "call."
  /// The name in the key `observed`, which a `place` record maps to a source location.
  package var name: String { "call.\(number)" }
  /// The name of the lane of an observation without a name.
  var lane: String { "observed.\(number)" }
}

/// A cache of the locations at which a thread observed most recently, by the fingerprints of their
/// call stacks. With it, a thread that observes repeatedly at the same locations doesn't take a
/// lock.
struct PlaceCache {
  private struct Entry {
    var fingerprint: UInt64 = 0
    var number = 0
  }

  private static let capacity = 64
  private var entries: UnsafeMutablePointer<Entry>?

  /// Returns the number of the location, or nil if it isn't in the cache.
  @inline(__always)
  func number(of fingerprint: UInt64) -> Int? {
    guard let entries else { return nil }
    let entry = entries[Self.slot(fingerprint)]
    return entry.fingerprint == fingerprint ? entry.number : nil
  }

  mutating func remember(_ fingerprint: UInt64, _ number: Int) {
    if entries == nil {
      let new = UnsafeMutablePointer<Entry>.allocate(capacity: Self.capacity)
      new.initialize(repeating: Entry(), count: Self.capacity)
      entries = new
    }
    entries?[Self.slot(fingerprint)] = Entry(fingerprint: fingerprint, number: number)
  }

  func deallocate() { entries?.deallocate() }

  @inline(__always)
  private static func slot(_ fingerprint: UInt64) -> Int {
    Int(truncatingIfNeeded: fingerprint &>> 58)
  }
}
