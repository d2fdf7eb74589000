extension ConnectableSignalProtocol {
  /// Returns a signal that connects when the first observer subscribes, and disconnects when the
  /// number of observers falls to `disconnectCount`.
  ///
  /// A `disconnectCount` of 0 disconnects when the last observer leaves. A negative number never
  /// disconnects. If an observer subscribes while another thread disconnects, that thread connects
  /// again after it disconnects.
  public func refCount(disconnectCount: Int = 0) -> Signal<Element, Error> {
    counted(disconnectCount) { connection in
      if !connection.isDisposed { connection.attach(disposable: connect()) }
    }
  }

  fileprivate func counted(
    _ disconnectCount: Int, _ connect: @escaping (ChainDisposable) -> Void
  ) -> Signal<Element, Error> {
    let counter = ObserverCounter(disconnectCount: disconnectCount, connect)
    return Signal(source: { observer, chain in
      let visit = Visit(to: counter)
      chain.attach(visit)
      let tracedBy = chain.tracedByForParts
      if tracedBy != 0 { counter.note(visit, tracedBy: tracedBy) }
      self._attach(observer, to: chain)
      // Connect last, so that a source that sends immediately reaches the observer that started it.
      counter.connect(for: visit, tracedBy: tracedBy)
    })
  }
}

extension ConnectableSignal {
  /// Returns a signal that connects when the first observer subscribes, and disconnects when the
  /// number of observers falls to `disconnectCount`.
  ///
  /// A `disconnectCount` of 0 disconnects when the last observer leaves. A negative number never
  /// disconnects. If an observer subscribes while another thread disconnects, that thread connects
  /// again after it disconnects.
  public func refCount(disconnectCount: Int = 0) -> Signal<Element, Error> {
    counted(disconnectCount) { connection in self.connect(connection) }
  }
}

/// A counter of a shared signal's observers that holds the connection while there are enough
/// observers. Only one connection exists at a time: the next one is created after the previous one
/// is disposed.
private final class ObserverCounter {
  private struct State {
    var count = 0
    var connection: ChainDisposable?
    // The number of calls that are connecting or disconnecting.
    var busy = 0
    // The tracing token of the observer that needs a connection, until the connection is created.
    var wanted: Int64?
    var traced = TracedVisits()

    var isConnected: Bool { connection.map { !$0.isDisposed } ?? false }

    /// Creates the connection if one is needed and no call is connecting or disconnecting.
    mutating func begin() -> ChainDisposable? {
      guard busy == 0, let tracedBy = wanted.take() else { return nil }
      busy = 1
      let connection = ChainDisposable(tracedBy: tracedBy)
      self.connection = connection
      return connection
    }

    /// Ends a call and returns the connection to make next.
    mutating func end(_ disconnectCount: Int) -> ChainDisposable? {
      busy -= 1
      if isConnected || count <= max(-1, disconnectCount) { wanted = nil }
      return begin()
    }
  }

  private let disconnectCount: Int
  private let connect: (ChainDisposable) -> Void
  private let state = Locked(State())

  init(disconnectCount: Int, _ connect: @escaping (ChainDisposable) -> Void) {
    self.disconnectCount = disconnectCount
    self.connect = connect
  }

  func enter() {
    state.withLock { $0.count += 1 }
  }

  /// Notes the tracing token of an observer.
  func note(_ visit: Visit, tracedBy: Int64) {
    state.withLock { state in
      if !visit.isOver { state.traced.add(visit.number, tracedBy) }
    }
  }

  /// Connects for a new observer unless a connection exists.
  func connect(for visit: Visit, tracedBy: Int64) {
    let connection = state.withLock { state -> ChainDisposable? in
      // If nothing ends a connection, it is also made for an observer that has already left.
      if state.isConnected || (visit.isOver && disconnectCount >= 0) { return nil }
      state.wanted = tracedBy
      state.traced.connect(for: visit.number, tracedBy)
      return state.begin()
    }
    if let connection { make(connection) }
  }

  func leave(_ visit: Visit) {
    var moved: (connection: ChainDisposable, move: ConnectionMove)?
    let outdated = state.withLock { state -> ChainDisposable? in
      visit.isOver = true
      state.count -= 1
      let successor = state.traced.remove(visit.number)
      guard state.count == disconnectCount, let connection = state.connection.take() else {
        if let successor, let connection = state.connection { moved = (connection, successor) }
        return nil
      }
      state.busy += 1
      return connection
    }
    if let moved, !moved.connection.isDisposed {
      Tracing.move(moved.connection, moved.move)
    }
    guard let outdated else { return }
    outdated.dispose()
    if let connection = state.withLock({ $0.end(disconnectCount) }) { make(connection) }
  }

  private func make(_ first: ChainDisposable) {
    var next = Optional(first)
    while let connection = next {
      connect(connection)
      next = state.withLock { $0.end(disconnectCount) }
    }
  }
}

/// The traced observers of a shared signal, and the one that the connection was made for.
private struct TracedVisits {
  private var all: [(number: UInt, tracedBy: Int64)] = []
  private var connected: UInt = 0
  private var madeFor: Int64 = 0

  mutating func add(_ number: UInt, _ tracedBy: Int64) { all.append((number, tracedBy)) }

  mutating func connect(for number: UInt, _ tracedBy: Int64) {
    connected = number
    madeFor = tracedBy
  }

  /// Removes an observer. If the connection was for that one, it continues for the latest observer,
  /// because older ones usually leave earlier.
  mutating func remove(_ number: UInt) -> ConnectionMove? {
    guard let index = all.firstIndex(where: { $0.number == number }) else { return nil }
    let former = all.remove(at: index)
    guard connected == number, let last = all.last else { return nil }
    connected = last.number
    return ConnectionMove(madeFor: madeFor, from: former.tracedBy, to: last.tracedBy)
  }
}

/// One observer's subscription to a shared signal, from its beginning to its end.
private final class Visit: Detachable {
  private let counter: ObserverCounter
  // Protected by the counter's lock.
  var isOver = false

  /// A number that is unique among observers during this one's subscription.
  var number: UInt { UInt(bitPattern: ObjectIdentifier(self)) }

  init(to counter: ObserverCounter) {
    self.counter = counter
    counter.enter()
  }

  func detach(_ key: Int) {
    counter.leave(self)
  }
}

extension ObserverCounter: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("state", State.self)] }
}

extension ObserverCounter: PlaysRole {
  package static var objectRole: ObjectRole { .upstream }
}

extension Visit: PlaysRole {
  package static var objectRole: ObjectRole { .visit }
}
