/// The part of a subject that does not depend on the type of its events: who observes it, and whose turn it is to deliver.
///
/// Whoever has the turn goes over the table of observers without a lock. So nobody changes it during a turn: those who
/// come or go are noted, and take effect before the next event of the turn or at its end.
@usableFromInline
package class ObserverHub: Detachable {
  @usableFromInline
  struct State {
    @usableFromInline var table = ObserverTable()
    @usableFromInline var isDelivering = false
    // Whether the one who delivers has to look for more before the turn ends.
    @usableFromInline var hasWork = false
    @usableFromInline var isTerminated = false
    // The terminal event was sent on, or the subject is gone: the observers are to be let go.
    @usableFromInline var isOver = false
    private var lastKey = 0
    private var arrivals: [(place: ObserverPlace, key: Int)] = []
    private var departures: [Int] = []

    init() {}

    /// Adds an observer, from the next event on.
    @usableFromInline
    mutating func add(_ place: ObserverPlace) -> Int {
      lastKey += 1
      if isDelivering {
        arrivals.append((place, lastKey))
        hasWork = true
      } else {
        table.add(place, key: lastKey)
      }
      return lastKey
    }

    fileprivate var isObserved: Bool { table.count > 0 || !arrivals.isEmpty }

    fileprivate mutating func remove(_ key: Int) -> ObserverPlace? {
      guard isDelivering else { return table.remove(key) }
      // When it is over they all go.
      if !isTerminated {
        departures.append(key)
        hasWork = true
      }
      return nil
    }

    /// Has those who came and went during the turn take effect; returns those who went, to be freed without the lock.
    @usableFromInline
    mutating func settle() -> [ObserverPlace] {
      for arrival in arrivals { table.add(arrival.place, key: arrival.key) }
      arrivals.removeAll()
      if isOver {
        departures = []
        return table.removeAll()
      }
      let gone = departures.compactMap { table.remove($0) }
      departures.removeAll()
      return gone
    }
  }

  @usableFromInline final let state = Locked(State())

  @usableFromInline
  init() {}

  deinit {
    let places = state.withLock { $0.table.removeAll() }
    withExtendedLifetime(places) {}
  }

  @usableFromInline
  final var isTerminated: Bool {
    state.withLock { $0.isTerminated }
  }

  /// Is true while there are observers. An observer that leaves during a turn counts until the turn ends.
  final var isObserved: Bool {
    state.withLock { $0.isObserved }
  }

  @usableFromInline
  package final func detach(_ key: Int) {
    let place = state.withLock { $0.remove(key) }
    withExtendedLifetime(place) {}
  }

  /// Lets go of the observers: the subject is gone.
  final func closeHub() {
    let places = state.withLock { state in
      state.isTerminated = true
      state.isOver = true
      state.hasWork = true
      return state.isDelivering ? [] : state.settle()
    }
    withExtendedLifetime(places) {}
  }
}
