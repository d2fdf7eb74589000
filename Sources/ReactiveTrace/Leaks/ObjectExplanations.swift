import CRuntime.OwnProcess
import SystemLibrary
import TraceFormat

/// The explanations of why objects of any class are alive.
enum ObjectExplanations {
  /// Explains why objects are alive. An object that was deallocated, or that time didn't suffice
  /// for, doesn't have an explanation.
  ///
  /// - Parameters:
  ///   - limit: The time that the search may take, in nanoseconds.
  ///   - callerHasThem: Whether the code that asks has the objects for certain. Otherwise it only
  ///     has them if their addresses are found there.
  /// - Returns: An explanation or nil for each object.
  static func explain(
    _ objects: [WeakReference], limit: Int, callerHasThem: Bool = false
  ) -> [Retention?] {
    guard let search = Causes.search else {
      return objects.map { _ in
        limit > 0 ? Retention(kind: .unsupported, limit: .trait, subject: .object) : nil
      }
    }
    let targets = objects.enumerated().compactMap { SearchedSubscription($1, number: $0) }
    let found = explain(targets, search, limit: limit, callerHasThem: callerHasThem)
    return objects.indices.map { found[$0]?.retention }
  }

  /// Explains why the instances of classes at some addresses are alive.
  ///
  /// - Parameter instances: The addresses with all bits inverted, and the names of the classes.
  static func explain(
    _ instances: [(hiddenAddress: UInt, type: String)], _ search: any CauseSearching, limit: Int
  ) -> [ObjectExplanation?] {
    let targets = instances.enumerated().map { index, instance in
      SearchedSubscription(
        id: index, lane: instance.type, chain: ~instance.hiddenAddress, subject: .object,
        hasEnded: { false })
    }
    let found = explain(targets, search, limit: limit, callerHasThem: false)
    return instances.indices.map { found[$0] }
  }

  private static func explain(
    _ targets: [SearchedSubscription], _ search: any CauseSearching, limit: Int,
    callerHasThem: Bool
  ) -> [Int: ObjectExplanation] {
    guard limit > 0, LeakExplanations.mayBegin, LeakExplanations.hasStack else { return [:] }
    // The rest of the time is reserved for looking up names.
    let deadline = LogClock.monotonic() + limit - limit / 10
    let recorder = Recorder.current
    let locations = recorder?.locations ?? ObservationLocations()
    let found = search.explainObjects(
      targets, among: (recorder?.liveSubscriptions.all ?? []).map { SearchedSubscription($0) },
      callerHasThem: callerHasThem, frame: UInt(bitPattern: trace_frame_address()), by: deadline,
      { locations.functions(at: $0) })
    guard let found else {
      let unsupported = ObjectExplanation(
        retention: Retention(kind: .unsupported, limit: .platform, subject: .object))
      return Dictionary(uniqueKeysWithValues: targets.map { ($0.id, unsupported) })
    }
    return found
  }
}

extension SearchedSubscription {
  /// Describes an object. Returns nil if it was deallocated.
  fileprivate init?(_ object: WeakReference, number: Int) {
    guard let inverted = object.invertedAddress else { return nil }
    self.init(
      id: number, lane: object.type, chain: ~inverted, subject: .object,
      hasEnded: { !object.isAlive })
  }
}
