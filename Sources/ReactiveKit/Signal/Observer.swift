/// A closure that is called for each event of a signal.
public typealias Observer<Element, Error: Swift.Error> = (Signal<Element, Error>.Event) -> Void

/// An observer of a signal that can't fail.
public typealias SafeObserver<Element> = (Signal<Element, Never>.Event) -> Void

/// A type that receives events.
public protocol ObserverProtocol {
  associatedtype Element
  associatedtype Error: Swift.Error

  func on(_ event: Signal<Element, Error>.Event)
}

extension ObserverProtocol {
  /// Sends an element.
  @inlinable
  public func receive(_ element: Element) {
    on(.next(element))
  }

  /// Sends the terminal event: completion or failure.
  @inlinable
  public func receive(completion: Subscribers.Completion<Error>) {
    switch completion {
    case .finished: on(.completed)
    case .failure(let error): on(.failed(error))
    }
  }

  /// Sends an element and completes.
  @inlinable
  public func receive(lastElement element: Element) {
    on(.next(element))
    on(.completed)
  }

  /// Returns this observer as a closure.
  @inlinable
  public func toObserver() -> Observer<Element, Error> {
    on
  }
}

extension ObserverProtocol where Element == Void {
  /// Sends an element.
  @inlinable
  public func receive() {
    on(.next(()))
  }
}

/// An observer that passes events to a closure.
public struct AnyObserver<Element, Error: Swift.Error>: ObserverProtocol {
  /// The closure that receives the events.
  public let observer: Observer<Element, Error>

  public init(observer: @escaping Observer<Element, Error>) {
    self.observer = observer
  }

  public func on(_ event: Signal<Element, Error>.Event) {
    observer(event)
  }
}
