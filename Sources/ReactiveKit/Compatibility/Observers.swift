// Names of ReactiveKit 3.0 and 3.7 for sending events, to observers and to subjects.
extension ObserverProtocol {
  @available(*, deprecated, renamed: "receive(_:)")
  public func next(_ element: Element) { on(.next(element)) }

  @available(*, deprecated, renamed: "receive(completion:)")
  public func failed(_ error: Error) { on(.failed(error)) }

  @available(*, deprecated, renamed: "receive(completion:)")
  public func completed() { on(.completed) }

  @available(*, deprecated, renamed: "receive(lastElement:)")
  public func completed(with element: Element) { receive(lastElement: element) }
}

extension ObserverProtocol where Element == Void {
  @available(*, deprecated, renamed: "receive()")
  public func next() { on(.next(())) }
}

extension Subject {
  @available(*, deprecated, renamed: "receive(event:)")
  @_disfavoredOverload
  public func send(_ event: Signal<Element, Error>.Event) { receive(event: event) }
}

extension AtomicObserver {
  /// Ends the observation when it is disposed, as the observer itself does.
  @available(*, deprecated, message: "The observer is a disposable itself.")
  public var disposable: any Disposable { ObservationDisposable(chain) }

  /// An observer that disposes `disposable` when it is disposed or terminated.
  @available(*, deprecated, message: "Use init(_:); what a producer returns is disposed.")
  public convenience init(
    disposable: any Disposable, observer: @escaping Observer<Element, Error>
  ) {
    self.init(observer)
    attach { _ in disposable }
  }
}

/// Ends an observation without keeping it: a producer may return it, and what a producer returns is kept by the
/// observation.
private final class ObservationDisposable: Disposable {
  private weak var chain: ChainDisposable?

  init(_ chain: ChainDisposable) {
    self.chain = chain
  }

  var isDisposed: Bool { chain?.isDisposed ?? true }

  func dispose() {
    chain?.dispose()
  }
}
