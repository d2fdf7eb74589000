/// A type that can be observed as a signal.
public protocol SignalProtocol<Element, Error> {
  associatedtype Element
  associatedtype Error: Swift.Error

  /// Starts a subscription. The observer is called for each event until the terminal event or until
  /// the result is disposed.
  func observe(with observer: @escaping Observer<Element, Error>) -> any Disposable

  /// Observes as a part of a longer chain of operators, without the checks that the end of the
  /// chain performs once.
  ///
  /// The signals of this library implement this method. Types that conform elsewhere get an
  /// implementation based on `observe(with:)`.
  func _attach(_ observer: @escaping Observer<Element, Error>, to chain: ChainDisposable)
}

extension SignalProtocol {
  public func _attach(_ observer: @escaping Observer<Element, Error>, to chain: ChainDisposable) {
    guard !chain.isDisposed else { return }
    // A foreign signal does not promise to keep its events in order.
    AtomicObserver(observer, chain: chain).attach { observer in
      observe(with: observer.on)
    }
  }

  /// Returns this signal as a `Signal`.
  @inlinable
  public func toSignal() -> Signal<Element, Error> {
    if let signal = self as? Signal<Element, Error> { return signal }
    return Signal(source: { observer, chain in
      self._attach(observer, to: chain)
    })
  }

  /// Observes at the end of a chain. The observer receives no events after disposal, and a terminal
  /// event disposes the chain.
  @inlinable
  @inline(__always)
  func observeChain(with observer: @escaping Observer<Element, Error>) -> ChainDisposable {
    observeEnd { chain in
      { event in
        guard !chain.isDisposed else { return }
        observer(event)
        if event.isTerminal { chain.dispose() }
      }
    }
  }

  /// Observes at the end of a chain with the observer that `makeEnd` creates. That observer must
  /// drop events after the chain is disposed, and must dispose the chain after a terminal event.
  /// This method saves one closure call per event and one allocation.
  @inlinable
  @inline(__always)
  func observeEnd(_ makeEnd: (ChainDisposable) -> Observer<Element, Error>)
    -> ChainDisposable
  {
    let chain = ChainDisposable()
    Tracing.attach(self, makeEnd(chain), to: chain)
    return chain
  }
}
