extension Subscribers {
  /// A subscriber that calls closures.
  public final class Sink<Input, Failure: Swift.Error>: Subscriber, Cancellable {
    /// The closure to call for each element.
    public let receiveValue: (Input) -> Void
    /// The closure to call once at the end.
    public let receiveCompletion: (Completion<Failure>) -> Void

    private let subscription = Locked<(isCancelled: Bool, current: (any Subscription)?)>(
      (false, nil))

    public init(
      receiveCompletion: @escaping (Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void
    ) {
      self.receiveCompletion = receiveCompletion
      self.receiveValue = receiveValue
    }

    public func receive(subscription: any Subscription) {
      let isLate = self.subscription.withLock { state in
        if !state.isCancelled { state.current = subscription }
        return state.isCancelled
      }
      if isLate { subscription.cancel() } else { subscription.request(.unlimited) }
    }

    public func receive(_ input: Input) -> Demand {
      receiveValue(input)
      return .unlimited
    }

    public func receive(completion: Completion<Failure>) {
      let ended = subscription.withLock { $0.current.take() }
      withExtendedLifetime(ended) { receiveCompletion(completion) }
    }

    public func cancel() {
      let current = subscription.withLock { state in
        state.isCancelled = true
        return state.current.take()
      }
      current?.cancel()
    }
  }
}

extension Subscribers.Sink: PlaysRole {
  package static var objectRole: ObjectRole { .subscriber }
}
