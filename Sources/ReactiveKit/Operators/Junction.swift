/// Where an operator that joins signals, threads or timers decides what goes downstream.
///
/// `update` changes the state under the lock and puts the events that follow from it into the outlet; they are delivered
/// after the lock is released, serially and in the order of the decisions, whichever threads made them.
@usableFromInline
package final class Junction<State, Element, Error: Swift.Error> {
  @usableFromInline package typealias Event = Signal<Element, Error>.Event

  /// Takes the events that a decision leads to.
  @usableFromInline
  package struct Outlet {
    @usableFromInline var queue = DeliveryQueue<Element, Error>()
    @usableFromInline var immediate: Event?

    @inlinable
    init() {}

    @inlinable
    package mutating func send(_ event: Event) {
      if queue.admit(event) { immediate = event }
    }

    /// Whether the terminal event was sent: nothing can follow.
    @inlinable
    package var isTerminated: Bool { queue.isTerminated }
  }

  @usableFromInline
  struct Guarded {
    @usableFromInline var state: State
    @usableFromInline var outlet = Outlet()

    @inlinable
    init(state: State) {
      self.state = state
    }
  }

  @usableFromInline let guarded: Locked<Guarded>
  @usableFromInline let observer: Observer<Element, Error>
  @usableFromInline let chain: ChainDisposable

  @inlinable
  package init(
    _ state: State, _ observer: @escaping Observer<Element, Error>, _ chain: ChainDisposable
  ) {
    guarded = Locked(Guarded(state: state))
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
  package func update<Result>(_ decide: (inout State, inout Outlet) -> Result) -> Result {
    var immediate: Event?
    let result = guarded.withLock { guarded in
      let result = decide(&guarded.state, &guarded.outlet)
      immediate = guarded.outlet.immediate.take()
      return result
    }
    if let immediate { deliver(immediate) }
    return result
  }

  /// Sends an event for which there is nothing to decide.
  @inlinable
  package func send(_ event: Event) {
    update { _, outlet in outlet.send(event) }
  }

  @inlinable
  @inline(__always)
  func deliver(_ event: Event) {
    observer(event)
    if event.isTerminal { return }
    let isAlone = guarded.withLock { guarded in
      let isAlone = guarded.outlet.queue.isEmpty
      if isAlone { guarded.outlet.queue.isDelivering = false }
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
      let dropped = guarded.withLock { $0.outlet.queue.close() }
      withExtendedLifetime(dropped) {}
      return nil
    }
    return guarded.withLock { $0.outlet.queue.following() }
  }
}
