/// A stream of events over time: any number of elements, then at most one end.
///
/// A signal is cold: nothing happens until it is observed, and each observation runs its producer anew.
public struct Signal<Element, Error: Swift.Error>: SignalProtocol {
  /// Starts the work of one observation and returns what stops it.
  public typealias Producer = (AtomicObserver<Element, Error>) -> any Disposable

  /// Observes for operators: sends events to the observer, attaches what must be released to the chain, and keeps
  /// three promises. The observer is called serially; nothing follows a terminal event; and a source that sends
  /// while it is being observed stops as soon as the chain is disposed.
  @usableFromInline
  package typealias Source = (@escaping Observer<Element, Error>, ChainDisposable) -> Void

  @usableFromInline let source: Source

  /// A signal from code that sends events to the observer it is given, from any thread, in any order.
  ///
  /// The observer sees to the grammar: concurrent events are delivered one after another, and what comes after a
  /// terminal event or after disposal is dropped.
  @inlinable
  public init(_ producer: @escaping Producer) {
    source = { observer, chain in
      AtomicObserver(observer, chain: chain).attach(producer)
    }
  }

  /// A signal from a source that keeps the promises of `Source` by itself.
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
    // An operator may have been disposed, by a closure of a user that it called, on the way here.
    if !chain.isDisposed { source(observer, chain) }
  }
}

/// A signal that cannot fail.
public typealias SafeSignal<Element> = Signal<Element, Never>
