/// An observer that accepts events from code without guarantees. A producer can send from any
/// thread at any time, even after the end. The events that this observer delivers follow the rules
/// of a signal.
///
/// Events are delivered one after another, in the order of arrival, by the thread that came first.
/// A thread that sends during a delivery queues its event and continues. No thread waits, so
/// nothing deadlocks.
public final class AtomicObserver<Element, Error: Swift.Error>: ObserverProtocol, Disposable,
  Sendable
{
  @usableFromInline
  struct State {
    @usableFromInline var observer: Observer<Element, Error>?
    @usableFromInline var queue = DeliveryQueue<Element, Error>()

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
  /// this observer is disposed or terminated.
  @inlinable
  public func attach(_ producer: Signal<Element, Error>.Producer) {
    chain.attach(disposable: producer(self))
  }

  @inlinable
  public func on(_ event: Signal<Element, Error>.Event) {
    let observer = state.withLock { state in
      state.queue.admit(event) ? state.observer : nil
    }
    guard let observer else { return }
    observer(event)
    if event.isTerminal { return chain.dispose() }
    while let following = state.withLock({ $0.queue.following() }) {
      observer(following)
      if following.isTerminal { return chain.dispose() }
    }
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
      (state.queue.close(), state.observer.take())
    }
    // Freed outside the lock, because freeing these values can run other code.
    withExtendedLifetime(dropped) {}
  }
}

/// A weak reference that tells an object about the disposal of its chain without keeping the object
/// alive.
@usableFromInline
package final class WeakDetachable<Owner: AnyObject & Detachable>: Detachable {
  @usableFromInline weak var owner: Owner?

  @inlinable
  package init(_ owner: Owner) {
    self.owner = owner
  }

  @inlinable
  package func detach(_ key: Int) {
    owner?.detach(key)
  }
}

extension AtomicObserver: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("state", State.self)] }
}
