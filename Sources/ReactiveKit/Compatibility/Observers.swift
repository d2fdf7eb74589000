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

extension AtomicObserver {
  /// An observer that disposes `disposable` when it is disposed or terminated.
  @available(*, deprecated, message: "Use init(_:); what a producer returns is disposed.")
  public convenience init(
    disposable: any Disposable, observer: @escaping Observer<Element, Error>
  ) {
    self.init(observer)
    attach { _ in disposable }
  }
}
