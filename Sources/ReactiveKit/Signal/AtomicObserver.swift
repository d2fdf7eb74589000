import Synchronization

/// An observer that accepts events from code without guarantees. A producer can send from any
/// thread at any time, even after the end. The events that this observer delivers follow the rules
/// of a signal.
///
/// Events are delivered one after another, in the order of arrival, by the thread that came first.
/// A thread that sends during a delivery queues its event and continues. No thread waits, so
/// nothing deadlocks.
@_fixed_layout
public final class AtomicObserver<Element, Error: Swift.Error>: ObserverProtocol, Disposable,
  Sendable
{
  @frozen @usableFromInline
  struct State {
    @usableFromInline var observer: Observer<Element, Error>?
    @usableFromInline var queue = DeliveryQueue<Element, Error>()
    @usableFromInline var resource: ProducedDisposable?

    @inlinable
    init(observer: @escaping Observer<Element, Error>) {
      self.observer = observer
    }
  }

  @usableFromInline let state: Locked<State>
  @usableFromInline let chain: ChainDisposable

  @inlinable
  public convenience init(_ observer: @escaping Observer<Element, Error>) {
    self.init(observer, chain: ChainDisposable())
  }

  @inlinable
  init(_ observer: @escaping Observer<Element, Error>, chain: ChainDisposable) {
    state = Locked(State(observer: observer))
    self.chain = chain
    // Attached weakly, because the observer leads back to the chain.
    chain.attach(WeakDetachable(self))
  }

  /// Runs a producer for this observer. The disposable that the producer returns is disposed when
  /// this observer is disposed or terminated. It is disposed before the terminal event is
  /// delivered, unless the producer sends that event before it returns.
  @inlinable
  public func attach(_ producer: Signal<Element, Error>.Producer) {
    let disposable = producer(self)
    // A cast takes longer than the rest of this method.
    if type(of: disposable) == NonDisposable.self { return }
    let resource = state.withLock { state -> ProducedDisposable? in
      if state.queue.isTerminated { return nil }
      let resource = ProducedDisposable(disposable, after: state.resource)
      state.resource = resource
      return resource
    }
    if let resource { chain.attach(resource) } else { disposable.dispose() }
  }

  @inlinable
  public func on(_ event: Signal<Element, Error>.Event) {
    // The chain is marked as disposed before this observer is detached.
    if chain.isDisposed { return }
    let observer = state.withLock { state in
      state.queue.admit(event) ? state.observer : nil
    }
    guard let observer else { return }
    if event.isTerminal { return deliverEnd(event, observer) }
    observer(event)
    var drain = Drain()
    defer { drain.end() }
    while let following = state.withLock({ $0.queue.following() }) {
      drain.begin()
      if following.isTerminal { return deliverEnd(following, observer) }
      observer(following)
    }
  }

  @inlinable
  func deliverEnd(_ event: Signal<Element, Error>.Event, _ observer: Observer<Element, Error>) {
    state.withLock { $0.resource.take() }?.detach(0)
    if !chain.isDisposed { observer(event) }
    chain.dispose()
  }

  @inlinable
  public var isDisposed: Bool { chain.isDisposed }

  /// Ends the subscription: disposes the producer's disposable and frees the observer.
  @inlinable
  public func dispose() {
    chain.dispose()
  }
}

extension AtomicObserver: Detachable {
  @inlinable
  package func detach(_ key: Int) {
    let dropped = state.withLock { state in
      (state.queue.close(), state.observer.take(), state.resource.take())
    }
    // Freed outside the lock, because freeing these values can run other code.
    withExtendedLifetime(dropped) {}
  }
}

/// The disposable that a producer returned. It is disposed once, with the chain or before the
/// terminal event.
@usableFromInline
final class ProducedDisposable: Detachable {
  private let disposable: any Disposable
  // The disposable that an earlier producer of the same observer returned.
  private let earlier: ProducedDisposable?
  private let isDisposed = Atomic<Bool>(false)

  @usableFromInline
  init(_ disposable: any Disposable, after earlier: ProducedDisposable?) {
    self.disposable = disposable
    self.earlier = earlier
  }

  @usableFromInline
  package func detach(_ key: Int) {
    earlier?.detach(key)
    if !isDisposed.exchange(true, ordering: .relaxed) { disposable.dispose() }
  }
}

extension ProducedDisposable: StoresValues {
  package static var storedValues: [StoredValue] { [.atomic("isDisposed", Bool.self)] }
}

/// A weak reference that notifies an object of the disposal of its chain without keeping the object
/// alive.
@_fixed_layout @usableFromInline
final class WeakDetachable<Owner: AnyObject & Detachable>: Detachable {
  @usableFromInline weak var owner: Owner?

  @inlinable
  init(_ owner: Owner) {
    self.owner = owner
  }

  @inlinable
  func detach(_ key: Int) {
    owner?.detach(key)
  }
}

extension AtomicObserver: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("state", State.self)] }
}

extension ProducedDisposable: PlaysRole {
  package static var objectRole: ObjectRole { .upstream }
}
