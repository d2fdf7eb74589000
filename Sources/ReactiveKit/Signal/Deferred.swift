/// A signal that is made anew for each observation.
public struct Deferred<DeferredSignal: SignalProtocol>: SignalProtocol {
  public typealias Element = DeferredSignal.Element
  public typealias Error = DeferredSignal.Error

  /// Makes the signal of one observation.
  public let signalFactory: () -> DeferredSignal

  public init(signalFactory: @escaping () -> DeferredSignal) {
    self.signalFactory = signalFactory
  }

  public func observe(with observer: @escaping Observer<Element, Error>) -> any Disposable {
    signalFactory().observe(with: observer)
  }

  public func _attach(_ observer: @escaping Observer<Element, Error>, to chain: ChainDisposable) {
    guard !chain.isDisposed else { return }
    let signal = signalFactory()
    if !chain.isDisposed { signal._attach(observer, to: chain) }
  }
}

/// A signal without elements, which completes at once or never.
public struct Empty<Element, Error: Swift.Error>: SignalProtocol {
  /// Whether it completes when it is observed.
  public let completeImmediately: Bool

  public init(completeImmediately: Bool = true) {
    self.completeImmediately = completeImmediately
  }

  public init(
    completeImmediately: Bool = true, outputType: Element.Type, failureType: Error.Type
  ) {
    self.completeImmediately = completeImmediately
  }

  public func observe(with observer: @escaping Observer<Element, Error>) -> any Disposable {
    observeChain(with: observer)
  }

  public func _attach(_ observer: @escaping Observer<Element, Error>, to chain: ChainDisposable) {
    if completeImmediately, !chain.isDisposed { observer(.completed) }
  }
}
