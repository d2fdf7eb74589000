extension ConnectableSignalProtocol {
  /// Connects when the first observer comes, and disconnects when the number of observers falls to `disconnectCount`: 0
  /// for "when the last has gone", a negative number for never.
  public func refCount(disconnectCount: Int = 0) -> Signal<Element, Error> {
    counted(disconnectCount) { connection in connection.attach(disposable: connect()) }
  }

  fileprivate func counted(
    _ disconnectCount: Int, _ connect: @escaping (ChainDisposable) -> Void
  ) -> Signal<Element, Error> {
    let counter = ObserverCounter(disconnectCount: disconnectCount)
    return Signal(source: { observer, chain in
      let connection = counter.enter(tracedBy: chain.tracedByForParts)
      chain.attach(disposable: BlockDisposable { counter.leave() })
      self._attach(observer, to: chain)
      // Connecting comes last, so that a source that sends at once reaches the observer that woke it.
      if let connection { connect(connection) }
    })
  }
}

extension ConnectableSignal {
  /// Connects when the first observer comes, and disconnects when the number of observers falls to `disconnectCount`: 0
  /// for "when the last has gone", a negative number for never.
  public func refCount(disconnectCount: Int = 0) -> Signal<Element, Error> {
    counted(disconnectCount) { connection in self.connect(connection) }
  }
}

/// Counts the observers of a shared signal, and holds the connection as long as there are enough.
private final class ObserverCounter {
  private struct State {
    var count = 0
    var connection: ChainDisposable?
  }

  private let disconnectCount: Int
  private let state = Locked(State())

  init(disconnectCount: Int) {
    self.disconnectCount = disconnectCount
  }

  /// Counts one more observer; returns the connection to make, where there is none.
  func enter(tracedBy: Int64) -> ChainDisposable? {
    state.withLock { state in
      state.count += 1
      if let connection = state.connection, !connection.isDisposed { return nil }
      let connection = ChainDisposable(tracedBy: tracedBy)
      state.connection = connection
      return connection
    }
  }

  func leave() {
    let connection = state.withLock { state in
      state.count -= 1
      return state.count == disconnectCount ? state.connection.take() : nil
    }
    connection?.dispose()
  }
}
