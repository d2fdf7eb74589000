import ReactiveKit
import Synchronization
import TraceFormat
import TraceShims

/// The places that the records of one log refer to. Source names are looked up for all places at
/// once, when the log ends or on request, because a lookup takes milliseconds.
package final class ObservationLocations: Sendable {
  /// A place with its debug information.
  struct Resolved: Sendable {
    /// The name that other records have for it.
    let name: String
    let location: CodeLocation

    func encode(_ line: inout LineBuffer, at time: Int) {
      line.begin(at: time, EncodedEvent(.place))
      line.text(.lane, name)
      if let source = location.source { line.text(.source, source) }
      if let function = location.function { line.text(.function, function) }
      line.end()
    }
  }

  /// The ways in which records refer to a place.
  struct Use: OptionSet {
    let rawValue: Int
    /// A lane is named after the place.
    static let lane = Use(rawValue: 1)
    /// The place is in the key `observed`.
    static let observed = Use(rawValue: 2)
  }

  private struct State {
    var uses: [ObservedPlace: Use] = [:]
    /// The places whose addresses are in the current file.
    var told: Set<ObservedPlace> = []
  }

  private let state = Guarded(State())
  /// The number of places, for code that must not allocate memory.
  private let count = Atomic<Int>(0)
  private let table: PlaceTable

  init(_ table: PlaceTable = .current) { self.table = table }

  /// Returns the place of the code that calls the caller of this function. See `PlaceTable.here`.
  @inline(__always)
  package func here() -> ObservedPlace { table.here() }

  /// Notes that a record refers to a place. Returns the place's call stack if the current file does
  /// not have it yet.
  func use(_ place: ObservedPlace, as use: Use) -> CallStack? {
    let (isNew, isFirst) = state.withLock { state in
      let known = state.uses[place]
      if known?.contains(use) != true { state.uses[place] = (known ?? []).union(use) }
      return (known == nil, state.told.insert(place).inserted)
    }
    if isNew { count.wrappingAdd(1, ordering: .relaxed) }
    return isFirst ? table.stack(of: place) : nil
  }

  /// Notes that the log continues in another file, which has no addresses yet.
  func beginFile() { state.withLock { $0.told = [] } }

  /// Returns the return addresses of the calls that observe at a place, innermost first.
  package func addresses(of place: ObservedPlace) -> [UInt] { stack(of: place).addresses }

  func stack(of place: ObservedPlace) -> CallStack { table.stack(of: place) }

  // MARK: Looking up names

  /// Returns the source location of a place. If it is not known yet, all places of the log are
  /// looked up, which takes one second at most.
  package func codeLocation(of place: ObservedPlace) -> CodeLocation? {
    let known = table.known(place)
    if known.isLookedUp { return known.found }
    lookUp(also: place)
    return table.known(place).found
  }

  /// Returns the source location of a place, or the image and the offset of the call where the
  /// debug information does not contain it.
  package func nameOrOffset(of place: ObservedPlace) -> CodeLocation? {
    if let known = codeLocation(of: place) { return known }
    guard let stack = StackRoom.left, stack >= Self.neededStack else { return nil }
    return table.names.fallback(for: self.stack(of: place))
  }

  /// Returns the functions that begin at the given addresses, such as the code of closures. All
  /// addresses that are not known yet are looked up in one pass over the debug information, which
  /// takes one second at most, and the places of the log with them.
  package func functions(at addresses: [UInt]) -> [UInt: CodeFunction] {
    lookUp(functions: addresses)
    return table.names.knownFunctions(at: addresses)
  }

  /// Returns the name of the function that begins at an address, and the line where it begins. See
  /// `functions(at:)`, which is faster for several functions.
  package func codeLocation(ofFunctionAt address: UInt) -> CodeLocation? {
    functions(at: [address])[address]?.location
  }

  /// The reasons why places lack a name that they could have.
  private enum Obstacle: String {
    case time = "there is more debug information than can be read in a second"
    case memory = "the process has too little memory left to look them up"
    case stack = "the stack of the thread that ends the log is too small to look them up"
  }

  /// The stack space required for a lookup, in bytes. Reading debug information takes less than
  /// half of it.
  private static let neededStack = 256 * 1024

  /// The memory that a lookup needs, in bytes, in addition to that for large files and many places.
  private static let neededMemory = 32 << 20
  /// The memory that a lookup needs for each place, in bytes.
  private static let memoryOfPlace = 8 << 10

  @discardableResult
  private func lookUp(also place: ObservedPlace? = nil, functions: [UInt] = []) -> Obstacle? {
    guard let stack = StackRoom.left, stack >= Self.neededStack else { return .stack }
    let size = Self.neededMemory + count.load(ordering: .relaxed) * Self.memoryOfPlace
    guard MemoryReserve.hasRoom(for: size) else { return .memory }
    let places = state.withLock { Array($0.uses.keys) } + [place].compactMap(\.self)
    return table.lookUp(places, functions: functions) ? nil : .time
  }

  /// All places that records refer to. If time or stack space runs out, a warning says how many
  /// have no name.
  ///
  /// This allocates no memory if there are no places, if the stack is not the thread's own, or in a
  /// signal handler. A handler may well have interrupted the allocator, and may have little stack
  /// space.
  var resolved: [Resolved] {
    if count.load(ordering: .relaxed) == 0 || StackRoom.left == nil || trace_is_in_handler() {
      return []
    }
    // In a forked child, a lookup could wait for a lock of the runtime or of the loader that a thread
    // of the parent held. The log keeps the addresses.
    if ProcessHooks.isForkedChild { return [] }
    let least = (2 << 20) + count.load(ordering: .relaxed) * Self.memoryOfPlace / 2
    guard MemoryReserve.hasRoom(for: least) else {
      Diagnostics.warnInPlace(
        "ReactiveTrace: observing locations have no name in the log: the process has no memory left.\n"
      )
      return []
    }
    let obstacle = lookUp()
    let uses = state.withLock { $0.uses }
    var nameless = 0
    var resolved: [Resolved] = []
    for (place, use) in uses.sorted(by: { $0.key.number < $1.key.number }) {
      let found = table.known(place).found
      if found == nil { nameless += 1 }
      guard let location = found ?? (obstacle == .stack ? nil : fallback(for: place)) else {
        continue
      }
      if use.contains(.lane) {
        let lane = CodeLocation(source: location.folderSource, function: location.function)
        resolved.append(Resolved(name: place.lane, location: lane))
      }
      if use.contains(.observed) { resolved.append(Resolved(name: place.name, location: location)) }
    }
    if let obstacle, nameless > 0 {
      Diagnostics.warn(
        "\(nameless) of \(uses.count) observing locations have no name "
          + "in the log, and others may have no line number: \(obstacle.rawValue).")
    }
    return resolved
  }

  private func fallback(for place: ObservedPlace) -> CodeLocation {
    table.names.fallback(for: table.stack(of: place))
  }
}
