/// A signal that is created separately for each subscription.
public struct Deferred<DeferredSignal: SignalProtocol>: SignalProtocol {
  public typealias Element = DeferredSignal.Element
  public typealias Error = DeferredSignal.Error

  /// The closure that creates the signal for one subscription.
  public let signalFactory: () -> DeferredSignal
  private let identity = SourceIdentity()

  public init(signalFactory: @escaping () -> DeferredSignal) {
    self.signalFactory = signalFactory
  }

  public func observe(with observer: @escaping Observer<Element, Error>) -> any Disposable {
    signalFactory().observe(with: observer)
  }

  public func _attach(_ observer: @escaping Observer<Element, Error>, to chain: ChainDisposable) {
    guard !chain.isDisposed else { return }
    let outer = Tracing.beginSource(chain, identity)
    defer { Tracing.endSource(outer) }
    let signal = signalFactory()
    if !chain.isDisposed { signal._attach(observer, to: chain) }
  }
}

/// A signal without elements that completes immediately or never.
public struct Empty<Element, Error: Swift.Error>: SignalProtocol {
  /// A Boolean value that indicates whether the signal completes when it is observed.
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
