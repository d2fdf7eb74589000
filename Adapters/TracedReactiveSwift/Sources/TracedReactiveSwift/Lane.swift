public import ReactiveSwift
public import ReactiveTrace

extension SignalProducer {
  /// Writes each start to the log: when and where it began, its values, and how it ended.
  ///
  /// If tracing is off, a start costs one atomic load. See ReactiveKit's `SignalProtocol.lane` for
  /// the parameters.
  ///
  ///     searchText.producer
  ///       .lane("search.keystrokes")
  ///       .skipRepeats()
  public func lane(
    _ name: String? = nil, filter: Trace.LaneFilter = .all, lifetime: Trace.Lifetime = .normal,
    transformValue: ((Value) -> String)? = nil,
    file: String = #fileID, function: String = #function, line: Int = #line
  ) -> SignalProducer<Value, Error> {
    let lane = Trace.Lane<Value>(
      name, filter: filter, lifetime: lifetime, library: .reactiveSwift,
      transformValue: transformValue, file: file, function: function, line: line)
    // Upstream already sends one event at a time.
    return .unserialized { observer, lifetime in
      guard let lane = lane.begin() else {
        lifetime += self.start(observer)
        return
      }
      let handle = TracedDisposable(lane)
      lifetime += handle
      handle.upstream.inner = lane.observe { self.start { lane.pass($0, to: observer) } }
    }
  }
}

extension Signal {
  /// Writes the observation of this signal to the log, from now on. It ends when the result isn't
  /// observed any more.
  ///
  /// If tracing is off, the call costs one atomic load. See ReactiveKit's `SignalProtocol.lane` for
  /// the parameters.
  public func lane(
    _ name: String? = nil, filter: Trace.LaneFilter = .all, lifetime: Trace.Lifetime = .normal,
    transformValue: ((Value) -> String)? = nil,
    file: String = #fileID, function: String = #function, line: Int = #line
  ) -> Signal<Value, Error> {
    let lane = Trace.Lane<Value>(
      name, filter: filter, lifetime: lifetime, library: .reactiveSwift,
      transformValue: transformValue, file: file, function: function, line: line)
    guard let lane = lane.begin() else { return self }
    return .unserialized { observer, lifetime in
      let handle = TracedDisposable(lane)
      lifetime += handle
      handle.upstream.inner = lane.observe { self.observe { lane.pass($0, to: observer) } }
    }
  }
}

extension Trace.LaneSubscription {
  fileprivate func pass<Error>(
    _ event: Signal<Element, Error>.Event, to observer: Signal<Element, Error>.Observer
  ) {
    switch event {
    case .value(let value): next(value)
    case .failed(let error): end(error)
    case .completed: end()
    case .interrupted: cancel()
    }
    deliver { observer.send(event) }
  }
}

/// What downstream has instead of the disposable upstream.
private final class TracedDisposable<Value>: Disposable {
  let upstream = SerialDisposable()
  private let lane: Trace.LaneSubscription<Value>

  init(_ lane: Trace.LaneSubscription<Value>) {
    self.lane = lane
    lane.note(handle: self)
  }

  deinit { lane.note(handle: nil) }

  var isDisposed: Bool { upstream.isDisposed }

  func dispose() {
    lane.cancel()
    upstream.dispose()
  }
}
