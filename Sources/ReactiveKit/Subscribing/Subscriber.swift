/// Something that takes the events of one subscription, in the shape that Combine gave it.
public protocol Subscriber<Input, Failure> {
  associatedtype Input
  associatedtype Failure: Swift.Error

  /// Called once, before anything else, with the means to cancel.
  func receive(subscription: any Subscription)

  /// Called for each element. What is returned is not used: signals send when they have something to send.
  func receive(_ input: Input) -> Subscribers.Demand

  /// Called once at the end.
  func receive(completion: Subscribers.Completion<Failure>)
}

/// A subscriber's connection to what it subscribed to.
public protocol Subscription: Cancellable {
  /// Says how many elements are wanted. Signals have no back pressure: they send elements as they come.
  func request(_ demand: Subscribers.Demand)
}

extension Subscriber where Input == Void {
  /// Sends an element.
  public func receive() -> Subscribers.Demand {
    receive(())
  }
}

extension Subscribers {
  /// How many elements a subscriber wants.
  public struct Demand: Hashable, Sendable {
    /// As many as there are.
    public static let unlimited = Demand(value: .max)

    /// No further elements.
    public static let none = Demand(value: 0)

    /// At most so many elements more.
    public static func max(_ value: Int) -> Demand { Demand(value: value) }

    /// The number of elements; `Int.max` stands for unlimited.
    public let value: Int
  }
}

extension SignalProtocol {
  /// Attaches a subscriber, which is given the subscription first. The result ends it too.
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
