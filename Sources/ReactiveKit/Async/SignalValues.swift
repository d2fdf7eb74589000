/// The elements of a signal as an asynchronous sequence, which throws the signal's own type of error; for a signal that
/// cannot fail it does not throw.
///
/// Each iterator is an observation of its own, which begins when the iterator is made and is disposed when it goes or its
/// task is cancelled.
public struct SignalValues<Element, Failure: Swift.Error>: AsyncSequence {
  /// What happens to elements that come faster than they are taken.
  public enum BufferingPolicy: Sendable {
    /// All are kept.
    case unbounded
    /// So many of the oldest are kept, newer ones are dropped.
    case bufferingOldest(Int)
    /// So many of the newest are kept, older ones are dropped.
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
  /// The elements as an asynchronous sequence: `for await element in signal.values`.
  public var values: SignalValues<Element, Error> {
    values(buffering: .unbounded)
  }

  /// The same with a limit to what is buffered.
  public func values(buffering policy: SignalValues<Element, Error>.BufferingPolicy)
    -> SignalValues<Element, Error>
  {
    SignalValues(signal: toSignal(), policy: policy)
  }
}
