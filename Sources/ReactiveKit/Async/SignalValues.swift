/// An asynchronous sequence of a signal's elements. It throws the signal's own error type. It does
/// not throw if the signal can't fail.
///
/// Each iterator is a separate subscription. The subscription begins when the iterator is created.
/// It is disposed when the iterator is deallocated or its task is canceled.
public struct SignalValues<Element, Failure: Swift.Error>: AsyncSequence {
  /// The policy for elements that arrive faster than they are consumed.
  public enum BufferingPolicy: Sendable {
    /// Keeps all elements.
    case unbounded
    /// Keeps the given number of the oldest elements and drops newer ones.
    case bufferingOldest(Int)
    /// Keeps the given number of the newest elements and drops older ones.
    case bufferingNewest(Int)
  }

  let signal: Signal<Element, Failure>
  let policy: BufferingPolicy

  public func makeAsyncIterator() -> Iterator {
    // The buffer may drop elements, but not the failure, so the failure does not pass through it.
    let failure = FailureBox<Failure>()
    let elements = signal.flatMapError { error -> SafeSignal<Element> in
      failure.put(error)
      return .completed()
    }
    let stream =
      switch policy {
      case .unbounded: elements.toAsyncStream()
      case .bufferingOldest(let limit):
        elements.toAsyncStream(bufferingPolicy: .bufferingOldest(limit))
      case .bufferingNewest(let limit):
        elements.toAsyncStream(bufferingPolicy: .bufferingNewest(limit))
      }
    return Iterator(base: stream.makeAsyncIterator(), failure: failure)
  }

  public struct Iterator: AsyncIteratorProtocol {
    var base: AsyncStream<Element>.Iterator
    let failure: FailureBox<Failure>

    public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: nil)
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      if let element = await base.next(isolation: actor) { return element }
      if let error = failure.take() { throw error }
      return nil
    }
  }
}

/// A box that holds the failure of a signal until the iterator throws it.
final class FailureBox<Failure: Swift.Error>: Sendable {
  private let failure = Locked<Failure?>(nil)

  func put(_ error: Failure) { failure.withLock { $0 = error } }

  func take() -> Failure? { failure.withLock { $0.take() } }
}

extension FailureBox: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("failure", Failure?.self)] }
}

extension SignalProtocol {
  /// The elements as an asynchronous sequence, as in `for await element in signal.values`.
  public var values: SignalValues<Element, Error> {
    values(buffering: .unbounded)
  }

  /// Returns the elements as an asynchronous sequence that buffers with the given policy.
  public func values(buffering policy: SignalValues<Element, Error>.BufferingPolicy)
    -> SignalValues<Element, Error>
  {
    SignalValues(signal: toSignal(), policy: policy)
  }
}
