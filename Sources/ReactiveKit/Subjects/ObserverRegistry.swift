/// The part of a subject that does not depend on the type of its events: its observers, and which
/// thread has the turn to deliver.
///
/// The thread that has the turn iterates over the observer table without a lock. Therefore the
/// table does not change while events are delivered. The registry notes observers that arrive or
/// leave during a turn. The changes take effect before the next delivery of the turn, or at its
/// end.
@usableFromInline
package class ObserverRegistry: Detachable, StoresValues {
  @usableFromInline
  struct State {
    @usableFromInline var table = ObserverTable()
    @usableFromInline var isDelivering = false
    // True if the delivering thread must look for more work before its turn ends.
    @usableFromInline var hasWork = false
    @usableFromInline var isTerminated = false
    // True once delivery of the terminal event has begun, or the subject is being deallocated. The
    // observers must then be released.
    @usableFromInline var isOver = false
    @usableFromInline var lastKey = 0
    private var arrivals: [(entry: ObserverEntry, key: Int)] = []
    private var departures: [Int] = []

    init() {}

    /// Adds an observer, which gets the events that are sent from now on. Returns its key.
    @usableFromInline
    mutating func add(_ entry: ObserverEntry) -> Int {
      lastKey += 1
      if isDelivering {
        arrivals.append((entry, lastKey))
        hasWork = true
      } else {
        table.add(entry, key: lastKey)
      }
      return lastKey
    }

    fileprivate var isObserved: Bool { table.count > 0 || !arrivals.isEmpty }

    fileprivate mutating func remove(_ key: Int) -> ObserverEntry? {
      guard isDelivering else { return table.remove(key) }
      // After the terminal event, all observers are removed together.
      if !isTerminated {
        departures.append(key)
        hasWork = true
      }
      return nil
    }

    /// Applies the arrivals and departures of the turn. Returns the removed observers, so that they
    /// are freed without the lock.
    @usableFromInline
    mutating func settle() -> [ObserverEntry] {
      for arrival in arrivals { table.add(arrival.entry, key: arrival.key) }
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

  package class var storedValues: [StoredValue] { [.locked("state", State.self)] }

  @usableFromInline
  init() {}

  deinit {
    let entries = state.withLock { $0.table.removeAll() }
    withExtendedLifetime(entries) {}
  }

  @usableFromInline
  final var isTerminated: Bool {
    state.withLock { $0.isTerminated }
  }

  /// A Boolean value that indicates whether there are observers. Observers that leave during a turn
  /// count until its end.
  final var isObserved: Bool {
    state.withLock { $0.isObserved }
  }

  /// Reports a traced observation to the tracer. If it gets all its events from this subject, only
  /// whether the subject has other observers matters, which get the same events.
  @usableFromInline
  @inline(never)
  final func beginTraced(_ chain: ChainDisposable) -> OuterSources? {
    guard chain.tracedBy < 0 else { return Tracing.beginSourceSlowPath(SourceIdentity(self)) }
    if isObserved { Tracing.join(chain) }
    return nil
  }

  @usableFromInline
  package final func detach(_ key: Int) {
    let entry = state.withLock { $0.remove(key) }
    withExtendedLifetime(entry) {}
  }

  /// Releases the observers because the subject is being deallocated.
  final func releaseObservers() {
    let entries = state.withLock { state in
      state.isTerminated = true
      state.isOver = true
      state.hasWork = true
      return state.isDelivering ? [] : state.settle()
    }
    withExtendedLifetime(entries) {}
  }
}

extension ObserverRegistry: PlaysRole {
  package static var objectRole: ObjectRole { .registry }
}
