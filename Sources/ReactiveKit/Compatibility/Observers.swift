// ReactiveKit 3.0 and 3.7 use these names for sending events to observers and subjects.
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
  public func send(_ event: Signal<Element, Error>.Event) { on(event) }
}

extension AtomicObserver {
  /// A disposable that ends the subscription, like the observer itself.
  @available(*, deprecated, message: "The observer is a disposable itself.")
  public var disposable: any Disposable { ObservationDisposable(chain) }

  /// Creates an observer that disposes `disposable` when the observer is disposed or terminated.
  @available(*, deprecated, message: "Use init(_:); what a producer returns is disposed.")
  public convenience init(
    disposable: any Disposable, observer: @escaping Observer<Element, Error>
  ) {
    self.init(observer)
    attach { _ in disposable }
  }
}

/// A disposable that ends a subscription without keeping it alive. A producer can return this
/// disposable, and a subscription keeps the disposable that its producer returns.
private final class ObservationDisposable: Disposable {
  private struct Target {
    weak var chain: ChainDisposable?
  }

  private let target: Locked<Target>

  init(_ chain: ChainDisposable) {
    target = Locked(Target(chain: chain))
  }

  private var chain: ChainDisposable? { target.withLock { $0.chain } }

  var isDisposed: Bool { chain?.isDisposed ?? true }

  func dispose() {
    chain?.dispose()
  }
}
