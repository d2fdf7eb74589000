/// Where events enter from code that makes no promises: a producer may send from any thread, at any time, also after
/// the end. Past this observer the grammar holds.
///
/// Events are delivered one after another, in the order of arrival, by the thread that came first; a thread that sends
/// meanwhile leaves its event in line and goes on. Nothing waits, so nothing deadlocks.
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
    // Weakly: the observer leads back to the chain.
    chain.attach(WeakDetachable(self))
  }

  /// Runs a producer for this observer; what it returns is disposed when this observer is disposed or terminated.
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

  /// Ends the observation: the producer's disposable is disposed, and the observer is freed.
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
    // Freed here, outside the lock: what they hold may run code when it goes.
    withExtendedLifetime(dropped) {}
  }
}
