/// A serializer in which an operator that joins signals, threads, or timers decides which events go
/// downstream.
///
/// `update` changes the state under the lock and puts the resulting events into the emitter. The
/// events are delivered after the lock is released. Delivery is serial and follows the order of the
/// decisions, regardless of which threads made them.
@_fixed_layout @usableFromInline
final class EventSerializer<State, Element, Error: Swift.Error> {
  @usableFromInline typealias Event = Signal<Element, Error>.Event

  /// A collector for the events that a decision causes.
  ///
  /// It is stored in a variable while the decision is made. An event that is delivered immediately
  /// therefore does not go through memory.
  @frozen @usableFromInline
  struct Emitter {
    @usableFromInline let queue: UnsafeMutablePointer<DeliveryQueue<Element, Error>>
    @usableFromInline var immediate: Event?

    @inlinable
    @inline(__always)
    init(queue: UnsafeMutablePointer<DeliveryQueue<Element, Error>>) {
      self.queue = queue
    }

    @inlinable
    @inline(__always)
    mutating func send(_ event: Event) {
      if queue.pointee.admit(event) { immediate = event }
    }

    /// A Boolean value that indicates whether the terminal event was sent. Nothing can follow it.
    @inlinable
    var isTerminated: Bool { queue.pointee.isTerminated }
  }

  @usableFromInline let state: Locked<State>
  // Guarded by the lock of `state`.
  @usableFromInline let queue: InlineStorage<DeliveryQueue<Element, Error>>
  @usableFromInline let observer: Observer<Element, Error>
  @usableFromInline let chain: ChainDisposable
  // The chain itself if the operator has no stage.
  @usableFromInline let stage: ChainDisposable

  /// Creates a serializer for an operator. It ends the operator's stage before it delivers the
  /// terminal event.
  @inlinable
  init(
    _ state: State, _ observer: @escaping Observer<Element, Error>, _ chain: ChainDisposable,
    stage: ChainDisposable? = nil
  ) {
    self.state = Locked(state)
    queue = InlineStorage(DeliveryQueue())
    self.observer = observer
    self.chain = chain
    self.stage = stage ?? chain
  }

  /// Makes a decision under the lock, then delivers the resulting events.
  ///
  /// `decide` must not call user code. It returns the values that it replaces in the state, so that
  /// they are freed after the lock is released.
  @inlinable
  @inline(__always)
  @discardableResult
  func update<Result>(_ decide: (inout State, inout Emitter) -> Result) -> Result {
    update(decide, delivering: observer)
  }

  /// Makes a decision under the lock, then delivers the resulting event with `deliver` if it
  /// doesn't have to wait. That closure is equivalent to the observer, and can be inlined.
  @inlinable
  @inline(__always)
  @discardableResult
  func update<Result>(
    _ decide: (inout State, inout Emitter) -> Result, delivering deliver: Observer<Element, Error>
  ) -> Result {
    var immediate: Event?
    let result = state.withLock { state in
      var emitter = Emitter(queue: queue.address)
      let result = decide(&state, &emitter)
      immediate = emitter.immediate
      return result
    }
    if let immediate {
      if immediate.isTerminal {
        deliverEnd(immediate)
      } else {
        deliver(immediate)
        endTurn()
      }
    }
    return result
  }

  /// Sends an event that needs no decision.
  @inlinable
  @inline(__always)
  func send(_ event: Event) {
    let isFirst = state.withLock { _ in
      let queue = queue.address
      return queue.pointee.admit(event)
    }
    guard isFirst else { return }
    if event.isTerminal { return deliverEnd(event) }
    observer(event)
    endTurn()
  }

  @inlinable
  @inline(never)
  func deliverEnd(_ event: Event) {
    if stage !== chain {
      stage.end()
      // The release may have disposed the chain.
      if chain.isDisposed { return }
    }
    observer(event)
  }

  @inlinable
  @inline(__always)
  func endTurn() {
    let isAlone = state.withLock { _ in
      let queue = queue.address
      let isAlone = queue.pointee.isEmpty
      if isAlone { queue.pointee.isDelivering = false }
      return isAlone
    }
    if !isAlone { deliverSlowPath() }
  }

  /// Delivers the events that arrived during a delivery.
  @inlinable
  @inline(never)
  func deliverSlowPath() {
    var drain = Drain()
    defer { drain.end() }
    while let event = following() {
      drain.begin()
      if event.isTerminal { return deliverEnd(event) }
      observer(event)
    }
  }

  @inlinable
  func following() -> Event? {
    if chain.isDisposed {
      let dropped = state.withLock { _ in
        let queue = queue.address
        return queue.pointee.close()
      }
      withExtendedLifetime(dropped) {}
      return nil
    }
    return state.withLock { _ in
      let queue = queue.address
      return queue.pointee.following()
    }
  }
}

extension EventSerializer: StoresValues {
  package static var storedValues: [StoredValue] {
    [.locked("state", State.self), .inline("queue", DeliveryQueue<Element, Error>.self)]
  }
}
