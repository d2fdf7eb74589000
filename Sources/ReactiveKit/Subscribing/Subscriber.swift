/// A type that receives the events of one subscription, with the requirements that Combine defined.
public protocol Subscriber<Input, Failure> {
  associatedtype Input
  associatedtype Failure: Swift.Error

  /// Receives the subscription, which the subscriber can cancel. Called once, before the other
  /// methods.
  func receive(subscription: any Subscription)

  /// Receives an element.
  ///
  /// Signals ignore the returned demand, and send elements when they have them.
  func receive(_ input: Input) -> Subscribers.Demand

  /// Receives the end of the signal. Called once.
  func receive(completion: Subscribers.Completion<Failure>)
}

/// A connection between a subscriber and the signal it subscribed to.
public protocol Subscription: Cancellable {
  /// Requests a number of elements. Signals have no back pressure, and send elements as they
  /// arrive.
  func request(_ demand: Subscribers.Demand)
}

extension Subscriber where Input == Void {
  /// Receives an element.
  public func receive() -> Subscribers.Demand {
    receive(())
  }
}

extension Subscribers {
  /// The number of elements that a subscriber requests.
  public struct Demand: Hashable, Sendable {
    /// A demand for an unlimited number of elements.
    public static let unlimited = Demand(value: .max)

    /// A demand for no further elements.
    public static let none = Demand(value: 0)

    /// Returns a demand for at most `value` more elements.
    public static func max(_ value: Int) -> Demand { Demand(value: value) }

    /// The number of elements. `Int.max` means unlimited.
    public let value: Int
  }
}

extension SignalProtocol {
  /// Attaches a subscriber, which receives its subscription first. Disposing the result also ends
  /// the subscription.
  @discardableResult
  public func subscribe<S: Subscriber>(_ subscriber: S) -> any Disposable
  where S.Input == Element, S.Failure == Error {
    let disposable = SerialDisposable(otherDisposable: nil)
    subscriber.receive(subscription: DisposableSubscription(disposable: disposable))
    guard !disposable.isDisposed else { return disposable }
    disposable.otherDisposable = observeChain { event in
      switch event {
      case .next(let element): _ = subscriber.receive(element)
      case .failed(let error): subscriber.receive(completion: .failure(error))
      case .completed: subscriber.receive(completion: .finished)
      }
    }
    return disposable
  }
}

private struct DisposableSubscription: Subscription {
  let disposable: SerialDisposable

  func request(_ demand: Subscribers.Demand) {}

  func cancel() {
    disposable.dispose()
  }
}
