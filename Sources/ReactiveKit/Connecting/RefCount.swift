extension ConnectableSignalProtocol {
  /// Connects when the first observer comes, and disconnects when the number of observers falls to `disconnectCount`: 0
  /// for "when the last has gone", a negative number for never. An observer that comes while another thread disconnects
  /// is connected by that thread once it has done so.
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
      self._attach(observer, to: chain)
      // Connecting comes last, so that a source that sends at once reaches the observer that woke it.
      counter.connect(for: visit, tracedBy: chain.tracedByForParts)
    })
  }
}

extension ConnectableSignal {
  /// Connects when the first observer comes, and disconnects when the number of observers falls to `disconnectCount`: 0
  /// for "when the last has gone", a negative number for never. An observer that comes while another thread disconnects
  /// is connected by that thread once it has done so.
  public func refCount(disconnectCount: Int = 0) -> Signal<Element, Error> {
    counted(disconnectCount) { connection in self.connect(connection) }
  }
}

/// Counts the observers of a shared signal, and holds the connection as long as there are enough. There is one connection
/// at a time: the next is made once the one before it was disposed.
private final class ObserverCounter {
  private struct State {
    var count = 0
    var connection: ChainDisposable?
    // How many calls connect or disconnect at the moment.
    var busy = 0
    // The tracing token of an observer that waits for a connection; nil where none waits.
    var wanted: Int64?

    var isConnected: Bool { connection.map { !$0.isDisposed } ?? false }

    /// The connection to make, where one is wanted and nobody is busy with another.
    mutating func begin() -> ChainDisposable? {
      guard busy == 0, let tracedBy = wanted.take() else { return nil }
      busy = 1
      let connection = ChainDisposable(tracedBy: tracedBy)
      self.connection = connection
      return connection
    }

    /// Ends a call; returns the connection to make next.
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

  /// Connects for an observer that has come, where there is no connection.
  func connect(for visit: Visit, tracedBy: Int64) {
    let connection = state.withLock { state -> ChainDisposable? in
      // A connection that nothing ends is made also for one that has gone by now.
      if state.isConnected || (visit.isOver && disconnectCount >= 0) { return nil }
      state.wanted = tracedBy
      return state.begin()
    }
    if let connection { make(connection) }
  }

  func leave(_ visit: Visit) {
    let outdated = state.withLock { state -> ChainDisposable? in
      visit.isOver = true
      state.count -= 1
      guard state.count == disconnectCount, let connection = state.connection.take() else {
        return nil
      }
      state.busy += 1
      return connection
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

/// One observer's time with a shared signal.
private final class Visit: Detachable {
  private let counter: ObserverCounter
  // Guarded by the lock of the counter.
  var isOver = false

  init(to counter: ObserverCounter) {
    self.counter = counter
    counter.enter()
  }

  func detach(_ key: Int) {
    counter.leave(self)
  }
}
