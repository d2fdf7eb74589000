/// An asynchronous sequence of a signal's elements. It throws the signal's own error type. It does
/// not throw if the signal cannot fail.
///
/// Each iterator is a separate subscription. The subscription begins when the iterator is created.
/// It is disposed when the iterator is deallocated or its task is canceled.
public struct SignalValues<Element, Failure: Swift.Error>: AsyncSequence {
  /// The handling of elements that arrive faster than they are consumed.
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
    let events = signal.mapToResult()
    let stream =
      switch policy {
      case .unbounded: events.toAsyncStream()
      case .bufferingOldest(let limit):
        events.toAsyncStream(bufferingPolicy: .bufferingOldest(limit))
      case .bufferingNewest(let limit):
        events.toAsyncStream(bufferingPolicy: .bufferingNewest(limit))
      }
    return Iterator(base: stream.makeAsyncIterator())
  }

  public struct Iterator: AsyncIteratorProtocol {
    var base: AsyncStream<Result<Element, Failure>>.Iterator

    public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: nil)
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      try await base.next(isolation: actor)?.get()
    }
  }
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
