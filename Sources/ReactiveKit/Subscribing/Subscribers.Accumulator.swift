extension Subscribers {
  /// A subscriber for tests that keeps the events it receives. Any thread may read them.
  public final class Accumulator<Input, Failure: Swift.Error>: Subscriber, Cancellable {
    private struct State {
      var values: [Input] = []
      var completion: Completion<Failure>?
      var subscription: (any Subscription)?
    }

    private let state = Locked(State())

    public init() {}

    /// The elements received so far.
    public var values: [Input] { state.withLock { $0.values } }

    /// The error that the signal failed with, or nil if it did not fail.
    public var error: Failure? {
      if case .failure(let error)? = state.withLock({ $0.completion }) { return error }
      return nil
    }

    /// A Boolean value that indicates whether the signal completed.
    public var isFinished: Bool {
      if case .finished? = state.withLock({ $0.completion }) { return true }
      return false
    }

    /// A Boolean value that indicates whether the signal failed.
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

extension Subscribers.Accumulator: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("state", State.self)] }
}

extension Subscribers.Accumulator: PlaysRole {
  package static var objectRole: ObjectRole { .subscriber }
}
