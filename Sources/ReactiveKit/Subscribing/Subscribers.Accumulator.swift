extension Subscribers {
  /// A subscriber that keeps what it is sent, for tests. May be read from any thread.
  public final class Accumulator<Input, Failure: Swift.Error>: Subscriber, Cancellable {
    private struct State {
      var values: [Input] = []
      var completion: Completion<Failure>?
      var subscription: (any Subscription)?
    }

    private let state = Locked(State())

    public init() {}

    /// The elements so far.
    public var values: [Input] { state.withLock { $0.values } }

    /// Why the signal failed, where it did.
    public var error: Failure? {
      if case .failure(let error)? = state.withLock({ $0.completion }) { return error }
      return nil
    }

    /// Whether the signal completed.
    public var isFinished: Bool {
      if case .finished? = state.withLock({ $0.completion }) { return true }
      return false
    }

    /// Whether the signal failed.
    public var isFailure: Bool { error != nil }

    public func receive(subscription: any Subscription) {
      state.withLock { $0.subscription = subscription }
      subscription.request(.unlimited)
    }

    public func receive(_ input: Input) -> Demand {
      state.withLock { $0.values.append(input) }
      return .unlimited
    }

    public func receive(completion: Completion<Failure>) {
      let ended = state.withLock { state in
        state.completion = completion
        return state.subscription.take()
      }
      withExtendedLifetime(ended) {}
    }

    public func cancel() {
      state.withLock { $0.subscription.take() }?.cancel()
    }
  }
}
