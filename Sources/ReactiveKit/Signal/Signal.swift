/// A stream of events over time: any number of elements, then at most one terminal event.
///
/// A signal is cold: nothing happens until it is observed, and each subscription runs its producer
/// again.
@frozen
public struct Signal<Element, Error: Swift.Error>: SignalProtocol {
  /// A closure that starts the work of one subscription and returns a disposable that stops it.
  public typealias Producer = (AtomicObserver<Element, Error>) -> any Disposable

  /// A closure that observes on behalf of operators. The closure sends events to the observer and
  /// attaches the resources to release to the chain.
  ///
  /// A source keeps three promises:
  ///
  /// - It calls the observer serially.
  /// - It sends nothing after a terminal event.
  /// - If it sends while it is being observed, it stops as soon as the chain is disposed.
  @usableFromInline
  package typealias Source = (@escaping Observer<Element, Error>, ChainDisposable) -> Void

  @usableFromInline let source: Source

  /// Creates a signal from a closure that can send events to its observer from any thread and in
  /// any order.
  ///
  /// The observer enforces the rules of a signal: it delivers concurrent events one after another,
  /// and it drops events that come after a terminal event or after disposal.
  @inlinable
  public init(_ producer: @escaping Producer) {
    let identity = SourceIdentity()
    source = { observer, chain in
      let outer = Tracing.beginSource(chain, identity)
      AtomicObserver(observer, chain: chain).attach(producer)
      Tracing.endSource(outer)
    }
  }

  /// Creates a signal from a source that keeps the promises of `Source` itself.
  @inlinable
  package init(source: @escaping Source) {
    self.source = source
  }

  @inlinable
  public func observe(with observer: @escaping Observer<Element, Error>) -> any Disposable {
    observeChain(with: observer)
  }

  @inlinable
  public func _attach(_ observer: @escaping Observer<Element, Error>, to chain: ChainDisposable) {
    // A user's closure that an operator has already called can have disposed the chain.
    if !chain.isDisposed { source(observer, chain) }
  }
}

/// A signal that can't fail.
public typealias SafeSignal<Element> = Signal<Element, Never>
