import ReactiveKit
import Synchronization
import TraceFormat

/// The names of the code locations that observe signals without a lane. Source names are looked up
/// for all locations at once, when the log ends or on request, because a lookup takes milliseconds.
final class ObservationLocations: Sendable {
  /// An observing location, with the number that names it in its log.
  struct Location: Sendable {
    let number: Int
    let stack: CallStack

    var lane: String { "observed.\(number)" }
  }

  /// An observing location with its debug information.
  struct Resolved: Sendable {
    let lane: String
    let location: CodeLocation

    func encode(_ line: inout LineBuffer, at time: Int) {
      line.begin(at: time, EncodedEvent(.place))
      line.text(.lane, lane)
      if let source = location.source { line.text(.source, source) }
      if let function = location.function { line.text(.function, function) }
      line.end()
    }
  }

  private struct State {
    var byStack: [CallStack: Location] = [:]
    /// The results of lookups by lane. A result is nil if the lookup found nothing.
    var found: [String: CodeLocation?] = [:]
  }

  private let state = Guarded(State())
  /// The number of locations, for code that must not allocate memory.
  private let count = Atomic<Int>(0)
  private let names: CodeNames

  init(_ names: CodeNames = CodeNames()) { self.names = names }

  /// Returns the location of an observation that was made under this stack.
  func location(of stack: CallStack) -> Location {
    state.withLock { state in
      if let known = state.byStack[stack] { return known }
      let new = Location(number: state.byStack.count + 1, stack: stack)
      state.byStack[stack] = new
      count.store(new.number, ordering: .relaxed)
      return new
    }
  }

  /// Returns the source location of a lane. If it is not known yet, all locations are looked up.
  func codeLocation(of lane: String) -> CodeLocation? {
    if let known = state.withLock({ $0.found[lane] }) { return known }
    lookUp()
    return state.withLock { $0.found[lane] } ?? nil
  }

  /// The reasons why locations lack a name that they could have.
  private enum Obstacle: String {
    case time = "there is more debug information than can be read in a second"
    case stack = "the stack of the thread that ends the log is too small to look them up"
  }

  /// The stack space required for a lookup, in bytes. Reading debug information takes less than
  /// half of it.
  private static let neededStack = 256 * 1024

  /// Looks up all locations that are not known yet.
  @discardableResult
  private func lookUp() -> Obstacle? {
    guard let stack = StackRoom.left, stack >= Self.neededStack else { return .stack }
    let new = state.withLock { state in
      state.byStack.values.filter { state.found[$0.lane] == nil }
    }
    let (locations, isComplete) = names.locations(of: new.map(\.stack))
    state.withLock { state in
      for (unnamed, location) in zip(new, locations) { state.found[unnamed.lane] = .some(location) }
    }
    return isComplete ? nil : .time
  }

  /// All locations whose names are in the debug information. If time or stack space runs out, a
  /// warning says how many are left out.
  ///
  /// This allocates no memory if there are no locations, or if the stack is not the thread's own. A
  /// signal handler on such a stack may well have interrupted the allocator, and may have little
  /// stack space.
  var resolved: [Resolved] {
    if count.load(ordering: .relaxed) == 0 || StackRoom.left == nil { return [] }
    let obstacle = lookUp()
    let (locations, found) = state.withLock { ($0.byStack.values, $0.found) }
    let resolved = locations.sorted { $0.number < $1.number }.compactMap { location in
      (found[location.lane] ?? nil).map { Resolved(lane: location.lane, location: $0) }
    }
    if let obstacle {
      Diagnostics.warn(
        "\(locations.count - resolved.count) of \(locations.count) observing locations have no name "
          + "in the log, and others may have no line number: \(obstacle.rawValue).")
    }
    return resolved
  }
}
