import ReactiveKit

/// Names the places from which signals are observed that have no lane. What they are called in the source is found out
/// when the log ends or a leak is reported, because that takes milliseconds.
final class ObservedPlaces: Sendable {
  /// A place, as its log calls it.
  struct Place: Sendable {
    let lane: String
    let stack: CallStack
    let trace: StackTrace
  }

  /// A place with what the debug information says of it.
  struct Resolved: Sendable {
    let lane: String
    let location: CodeLocation

    func encode(_ line: inout LineBuffer, at time: Int) {
      line.begin(at: time, EncodedEvent(.place))
      line.text(.lane, lane)
      line.text(.source, location.source)
      if let function = location.function { line.text(.function, function) }
      line.end()
    }
  }

  private let places = Locked<[CallStack: Place]>([:])

  /// The place of the observation that is being made by the caller's caller.
  func place() -> Place {
    let stack = CallStack.current()
    if let known = places.withLock({ $0[stack] }) { return known }
    // Once for each place.
    let trace = StackTrace.capture()
    return places.withLock { places in
      if let known = places[stack] { return known }
      let new = Place(lane: "observed.\(places.count + 1)", stack: stack, trace: trace)
      places[stack] = new
      return new
    }
  }

  /// What the source calls a place.
  func location(of lane: String) -> CodeLocation? {
    places.withLock { places in places.values.first { $0.lane == lane } }?.trace.location
  }

  /// All places whose names the debug information tells.
  var resolved: [Resolved] {
    places.withLock { Array($0.values) }
      .sorted {
        $0.lane.utf8.count == $1.lane.utf8.count
          ? $0.lane < $1.lane
          : $0.lane.utf8.count < $1.lane.utf8.count
      }
      .compactMap { place in
        place.trace.location.map { Resolved(lane: place.lane, location: $0) }
      }
  }
}
