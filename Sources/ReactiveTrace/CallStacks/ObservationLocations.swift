import CRuntime.OwnProcess
import ReactiveKit
import Synchronization
package import SystemLibrary
import TraceFormat

/// The places that the records of one log refer to. Source names are looked up for all places
/// together, when the log ends or on request, because a lookup takes milliseconds.
package final class ObservationLocations: Sendable {
  /// A place with its debug information.
  struct Resolved: Sendable {
    /// The name that other records use for the place.
    let name: String
    let location: CodeLocation
    /// The calls that led there, innermost first.
    var callers: [UnfinishedTask.Call] = []

    /// The maximum number of callers. Those next to the place and the outermost one, which is
    /// usually the test or the entry of the program, say the most.
    private static let maxCallers = 8

    /// The size of most records without calls, in bytes.
    static let usualSize = 256

    func encode(_ line: inout LineBuffer, at time: Int, withCalls: Bool = true) {
      line.begin(at: time, EncodedEvent(.place))
      line.text(.lane, name)
      if let source = location.source { line.text(.source, source) }
      if let function = location.function { line.text(.function, function) }
      let calls = withCalls ? UnfinishedTask.members(of: callers) : []
      if !calls.isEmpty { line.objects(.calls, calls) }
      line.end()
    }

    /// Returns the calls with which a record describes how a place was reached.
    static func calls(_ callers: [CodeLocation]) -> [UnfinishedTask.Call] {
      var calls: [UnfinishedTask.Call] = []
      for caller in callers {
        // A macro has no line that users can open.
        if caller.isOfMacro { continue }
        let call = UnfinishedTask.Call(function: caller.function, source: caller.source)
        // Closures and thunks of one line are several calls.
        if calls.last?.source != call.source { calls.append(call) }
      }
      guard calls.count > maxCallers, let last = calls.last else { return calls }
      return calls.prefix(maxCallers - 1) + [last]
    }
  }

  /// How records refer to a place.
  struct Use: OptionSet {
    let rawValue: UInt8
    /// A lane is named after the place.
    static let lane = Use(rawValue: 1)
    /// The place is in the key `observed`.
    static let observed = Use(rawValue: 2)
  }

  private struct State {
    var uses: [PlaceNumber: Use] = [:]
    /// The places whose addresses are in the current file.
    var placesInFile: Set<PlaceNumber> = []
  }

  private let state = Guarded(State())
  /// The address of a byte for each place with a low number, with the bits of `Use` and `isInFile`.
  /// Most subscriptions need no lock because of them.
  private let quickUses: UInt
  private static let quickCount = 1024
  private static let isInFile: UInt8 = 4
  /// The number of places, for code that must not allocate memory.
  private let count = Atomic<Int>(0)
  let table: PlaceTable

  init(_ table: PlaceTable = .current) {
    self.table = table
    quickUses = UInt(bitPattern: calloc(Self.quickCount, MemoryLayout<Atomic<UInt8>>.stride))
  }

  deinit { free(UnsafeMutableRawPointer(bitPattern: quickUses)) }

  @inline(__always)
  private func quickUse(_ place: PlaceNumber) -> UnsafePointer<Atomic<UInt8>>? {
    guard 0..<Self.quickCount ~= place.number else { return nil }
    return UnsafePointer<Atomic<UInt8>>(bitPattern: quickUses).map { $0 + place.number }
  }

  /// Registers a place that a record refers to. Returns the place's call stack if it isn't in the
  /// current file yet.
  @inline(__always)
  func use(_ place: PlaceNumber, as use: Use) -> CallStack? {
    let known = quickUse(place)?.pointee.load(ordering: .relaxed) ?? 0
    let needed = use.rawValue | Self.isInFile
    return known & needed == needed ? nil : useSlowPath(place, as: use)
  }

  @inline(never)
  private func useSlowPath(_ place: PlaceNumber, as use: Use) -> CallStack? {
    let (isNew, isFirst) = state.withLock { state in
      let known = state.uses[place]
      if known?.contains(use) != true { state.uses[place] = (known ?? []).union(use) }
      quickUse(place)?.pointee.bitwiseOr(use.rawValue | Self.isInFile, ordering: .relaxed)
      return (known == nil, state.placesInFile.insert(place).inserted)
    }
    if isNew { count.wrappingAdd(1, ordering: .relaxed) }
    return isFirst ? table.stack(of: place) : nil
  }

  /// Starts a new file of the log, which doesn't contain addresses yet.
  func beginFile() {
    state.withLock { state in
      for place in state.placesInFile {
        quickUse(place)?.pointee.bitwiseAnd(~Self.isInFile, ordering: .relaxed)
      }
      state.placesInFile = []
    }
  }

  /// Returns the call stack of a place as return addresses, innermost first.
  package func addresses(of place: PlaceNumber) -> [UInt] { stack(of: place).addresses }

  func stack(of place: PlaceNumber) -> CallStack { table.stack(of: place) }

  // MARK: Looking up names

  /// Returns the source location of a place. If it isn't known yet, all places of the log are
  /// looked up, which takes at most one second.
  package func codeLocation(of place: PlaceNumber) -> CodeLocation? {
    let known = table.known(place)
    if known.isLookedUp { return known.found }
    lookUp(also: place)
    return table.known(place).found
  }

  /// Returns the source location of a place, or the image and the offset of the call if the debug
  /// information doesn't contain it.
  package func nameOrOffset(of place: PlaceNumber) -> CodeLocation? {
    if let known = codeLocation(of: place) { return known }
    guard let stack = StackRoom.left, stack >= Self.neededStack else { return nil }
    return fallback(for: place)
  }

  /// Returns the functions that begin at the given addresses, such as the code of closures. All
  /// unknown addresses and places of the log are looked up in one pass over the debug
  /// information.
  ///
  /// - Parameter limit: The maximum time, in nanoseconds, or nil for one second.
  package func functions(at addresses: [UInt], limit: Int? = nil) -> [UInt: CodeFunction] {
    lookUp(functions: addresses, limit: limit)
    return table.names?.knownFunctions(at: addresses) ?? [:]
  }

  /// Why functions may be missing that were requested, or nil if all of them were looked up.
  var functionLimit: Retention.Limit? {
    if obstacle != nil { return .memory }
    return table.lookUp([], functions: []) ? nil : .time
  }

  /// Returns the name of the function that begins at an address, and the line where it begins.
  /// See `functions(at:)`, which is faster for several functions.
  package func codeLocation(ofFunctionAt address: UInt) -> CodeLocation? {
    functions(at: [address])[address]?.location
  }

  /// The reasons why names of places can be missing.
  private enum Obstacle: String {
    case time = "there is more debug information than can be read in a second"
    case memory = "the process has too little memory left to look them up"
    case stack = "the stack of the thread that ends the log is too small to look them up"
  }

  /// The stack space required for a lookup, in bytes. Reading debug information takes less than
  /// half of it.
  private static let neededStack = 256 * 1024

  /// The memory that a lookup needs, in bytes, in addition to the memory for large files and many
  /// places.
  private static let neededMemory = 32 << 20
  /// The memory that a lookup needs for each place, in bytes.
  private static let memoryOfPlace = 8 << 10

  /// What keeps a lookup from beginning.
  private var obstacle: Obstacle? {
    guard let stack = StackRoom.left, stack >= Self.neededStack else { return .stack }
    let size = Self.neededMemory + count.load(ordering: .relaxed) * Self.memoryOfPlace
    return MemoryReserve.hasRoom(for: size) ? nil : .memory
  }

  @discardableResult
  private func lookUp(
    also place: PlaceNumber? = nil, functions: [UInt] = [], limit: Int? = nil
  ) -> Obstacle? {
    if let obstacle { return obstacle }
    let places = state.withLock { Array($0.uses.keys) } + [place].compactMap(\.self)
    return table.lookUp(places, functions: functions, limit: limit) ? nil : .time
  }

  /// All places that records refer to. If time or stack space runs out, a warning reports how many
  /// places don't have a name.
  ///
  /// This doesn't allocate memory if there aren't any places, if the thread runs on another stack,
  /// or in a signal handler. A handler can have interrupted the allocator, and can have little
  /// stack space.
  var resolved: [Resolved] {
    if count.load(ordering: .relaxed) == 0 || StackRoom.left == nil || trace_is_in_handler() {
      return []
    }
    // In a forked child, a lookup could wait for a lock of the runtime or of the loader that a
    // parent thread held. The log keeps the addresses.
    if ProcessHooks.isForkedChild { return [] }
    let minMemory = (2 << 20) + count.load(ordering: .relaxed) * Self.memoryOfPlace / 2
    guard MemoryReserve.hasRoom(for: minMemory) else {
      Diagnostics.warnInPlace(
        """
        ReactiveTrace: observing locations have no name in the log: \
        the process has no memory left.\n
        """)
      return []
    }
    let obstacle = lookUp()
    let uses = state.withLock { $0.uses }
    var unknownLines = 0
    var resolved: [Resolved] = []
    for place in uses.keys.map(\.number).sorted().map({ PlaceNumber(number: $0) }) {
      guard let use = uses[place] else { continue }
      let found = table.known(place).found
      if found?.source == nil { unknownLines += 1 }
      guard let location = found ?? (obstacle == .stack ? nil : fallback(for: place)) else {
        continue
      }
      if use.contains(.lane) {
        let lane = CodeLocation(source: location.folderSource, function: location.function)
        resolved.append(Resolved(name: place.lane, location: lane))
      }
      if use.contains(.observed) {
        resolved.append(
          Resolved(
            name: place.name, location: location,
            callers: Resolved.calls(table.callers(of: place))))
      }
    }
    if let obstacle, unknownLines > 0 {
      Diagnostics.warn(
        "\(unknownLines) of \(uses.count) observing locations have no line number in the log: "
          + "\(obstacle.rawValue).")
    }
    return resolved
  }

  private func fallback(for place: PlaceNumber) -> CodeLocation? {
    table.names?.fallback(for: table.stack(of: place))
  }
}
