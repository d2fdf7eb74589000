/// A signal that receives its events from outside.
public protocol SubjectProtocol<Element, Error>: SignalProtocol, ObserverProtocol {}

extension SubjectProtocol {
  /// Sends an element to all observers.
  @inlinable
  public func send(_ element: Element) {
    on(.next(element))
  }

  /// Sends completion or failure.
  @inlinable
  public func send(completion: Subscribers.Completion<Error>) {
    receive(completion: completion)
  }

  /// Sends an element and then completes.
  @inlinable
  public func send(lastElement element: Element) {
    on(.next(element))
    on(.completed)
  }
}

extension SubjectProtocol where Element == Void {
  /// Sends an element to all observers.
  @inlinable
  public func send() {
    on(.next(()))
  }
}
