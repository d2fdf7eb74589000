/// Where an operator that joins signals, threads or timers decides what goes downstream.
///
/// `update` changes the state under the lock and puts the events that follow from it into the emitter; they are delivered
/// after the lock is released, serially and in the order of the decisions, whichever threads made them.
@usableFromInline
package final class EventSerializer<State, Element, Error: Swift.Error> {
  @usableFromInline package typealias Event = Signal<Element, Error>.Event

  /// Takes the events that a decision leads to. It lives in a variable while the decision is made, so that an event that is
  /// delivered at once does not go through memory.
  @usableFromInline
  package struct Emitter {
    @usableFromInline let queue: UnsafeMutablePointer<DeliveryQueue<Element, Error>>
    @usableFromInline var immediate: Event?

    @inlinable
    @inline(__always)
    init(queue: UnsafeMutablePointer<DeliveryQueue<Element, Error>>) {
      self.queue = queue
    }

    @inlinable
    @inline(__always)
    package mutating func send(_ event: Event) {
      if queue.pointee.admit(event) { immediate = event }
    }

    /// Whether the terminal event was sent: nothing can follow.
    @inlinable
    package var isTerminated: Bool { queue.pointee.isTerminated }
  }

  @usableFromInline let state: Locked<State>
  // Guarded by the lock of `state`.
  @usableFromInline let queue: InlineStorage<DeliveryQueue<Element, Error>>
  @usableFromInline let observer: Observer<Element, Error>
  @usableFromInline let chain: ChainDisposable

  @inlinable
  package init(
    _ state: State, _ observer: @escaping Observer<Element, Error>, _ chain: ChainDisposable
  ) {
    self.state = Locked(state)
    queue = InlineStorage(DeliveryQueue())
    self.observer = observer
    self.chain = chain
  }

  /// Decides under the lock, then delivers what was decided.
  ///
  /// `decide` must not call code of a user. What it replaces in the state it returns, so that it is freed after the
  /// lock is released.
  @inlinable
  @inline(__always)
  @discardableResult
  package func update<Result>(_ decide: (inout State, inout Emitter) -> Result) -> Result {
    var immediate: Event?
    let result = state.withLock { state in
      var emitter = Emitter(queue: queue.address)
      let result = decide(&state, &emitter)
      immediate = emitter.immediate
      return result
    }
    if let immediate { deliver(immediate) }
    return result
  }

  /// Sends an event for which there is nothing to decide.
  @inlinable
  package func send(_ event: Event) {
    let isFirst = state.withLock { _ in
      let queue = queue.address
      return queue.pointee.admit(event)
    }
    if isFirst { deliver(event) }
  }

  @inlinable
  @inline(__always)
  func deliver(_ event: Event) {
    observer(event)
    if event.isTerminal { return }
    let isAlone = state.withLock { _ in
      let queue = queue.address
      let isAlone = queue.pointee.isEmpty
      if isAlone { queue.pointee.isDelivering = false }
      return isAlone
    }
    if !isAlone { deliverSlowPath() }
  }

  /// Delivers what came while an event was being delivered.
  @inlinable
  @inline(never)
  func deliverSlowPath() {
    while let event = following() {
      observer(event)
      if event.isTerminal { return }
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
