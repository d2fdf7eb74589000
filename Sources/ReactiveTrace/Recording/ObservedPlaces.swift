import ReactiveKit
import Synchronization

/// Names the places from which signals are observed that have no lane. What they are called in the source is found out
/// when the log ends or somebody asks, for all of them at once, because that takes milliseconds.
final class ObservedPlaces: Sendable {
  /// A place, as its log calls it.
  struct Place: Sendable {
    let number: Int
    let stack: CallStack

    var lane: String { "observed.\(number)" }
  }

  /// A place with what the debug information says of it.
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
    var places: [CallStack: Place] = [:]
    /// What was looked up, by lane; nil where that told nothing.
    var locations: [String: CodeLocation?] = [:]
  }

  private let state = Guarded(State())
  /// The number of places, which can be read without asking for memory.
  private let count = Atomic<Int>(0)
  private let names: CodeNames

  init(_ names: CodeNames = CodeNames()) { self.names = names }

  /// The place of an observation that was made under this stack.
  func place(of stack: CallStack) -> Place {
    state.withLock { state in
      if let known = state.places[stack] { return known }
      let new = Place(number: state.places.count + 1, stack: stack)
      state.places[stack] = new
      count.store(new.number, ordering: .relaxed)
      return new
    }
  }

  /// What the source calls a place. Where that is not known yet, all places are looked up.
  func location(of lane: String) -> CodeLocation? {
    if let known = state.withLock({ $0.locations[lane] }) { return known }
    lookUp()
    return state.withLock { $0.locations[lane] } ?? nil
  }

  /// A reason why places that could have names have none.
  private enum Obstacle: String {
    case time = "there is more debug information than can be read in a second"
    case stack = "the stack of the thread that ends the log is too small to look them up"
  }

  /// Reading debug information takes less than half of that.
  private static let neededStack = 256 * 1024

  /// Looks up all places that are not known yet.
  @discardableResult
  private func lookUp() -> Obstacle? {
    guard let stack = StackRoom.left, stack >= Self.neededStack else { return .stack }
    let new = state.withLock { state in
      state.places.values.filter { state.locations[$0.lane] == nil }
    }
    let (locations, isComplete) = names.locations(of: new.map(\.stack))
    state.withLock { state in
      for (place, location) in zip(new, locations) { state.locations[place.lane] = .some(location) }
    }
    return isComplete ? nil : .time
  }

  /// All places whose names the debug information tells. Where time or stack do not suffice, it is said how many are left out.
  ///
  /// Asks for no memory where there is no place, and none on a stack that is not the thread's own: a signal handler there is
  /// as likely to have interrupted the allocator as to have little room.
  var resolved: [Resolved] {
    if count.load(ordering: .relaxed) == 0 || StackRoom.left == nil { return [] }
    let obstacle = lookUp()
    let (places, locations) = state.withLock { ($0.places.values, $0.locations) }
    let resolved = places.sorted { $0.number < $1.number }.compactMap { place in
      (locations[place.lane] ?? nil).map { Resolved(lane: place.lane, location: $0) }
    }
    if let obstacle {
      CText.complain(
        "\(places.count - resolved.count) of \(places.count) places that observe have no name in the log, and "
          + "others may lack a line: \(obstacle.rawValue).")
    }
    return resolved
  }
}
