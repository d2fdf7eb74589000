/// Anything that can be observed as a signal.
public protocol SignalProtocol<Element, Error> {
  associatedtype Element
  associatedtype Error: Swift.Error

  /// Starts an observation; the observer is called for each event until the terminal one or until the result is
  /// disposed.
  func observe(with observer: @escaping Observer<Element, Error>) -> any Disposable

  /// Observes as a part of a longer chain of operators, without the checks that stand once at its end.
  ///
  /// For the signals of this library; types that conform elsewhere get an implementation on top of `observe(with:)`.
  func _attach(_ observer: @escaping Observer<Element, Error>, to chain: ChainDisposable)
}

extension SignalProtocol {
  public func _attach(_ observer: @escaping Observer<Element, Error>, to chain: ChainDisposable) {
    guard !chain.isDisposed else { return }
    // Nobody knows what keeps order in a foreign signal.
    AtomicObserver(observer, chain: chain).attach { observer in
      observe(with: observer.on)
    }
  }

  /// This signal as a `Signal`.
  @inlinable
  public func toSignal() -> Signal<Element, Error> {
    if let signal = self as? Signal<Element, Error> { return signal }
    return Signal(source: { observer, chain in
      self._attach(observer, to: chain)
    })
  }

  /// The end of a chain, where disposal and termination meet the observer.
  @inlinable
  @inline(__always)
  package func observeChain(with observer: @escaping Observer<Element, Error>) -> ChainDisposable {
    observeEnd { chain in
      { event in
        guard !chain.isDisposed else { return }
        observer(event)
        if event.isTerminal { chain.dispose() }
      }
    }
  }

  /// The same for an end that `makeEnd` makes: it has to let nothing pass once the chain is disposed, and to dispose it
  /// after a terminal event. One closure less an event, and one allocation less.
  @inlinable
  @inline(__always)
  package func observeEnd(_ makeEnd: (ChainDisposable) -> Observer<Element, Error>)
    -> ChainDisposable
  {
    let chain = ChainDisposable()
    Tracing.attach(self, makeEnd(chain), to: chain)
    return chain
  }
}
