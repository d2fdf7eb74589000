/// A subject that first sends a new observer the latest elements, at most as many as its buffer holds, and its terminal
/// event if it had one.
// Unchecked because its superclass is open and says nothing of subclasses: all state is behind `Locked`.
public final class ReplaySubject<Element, Error: Swift.Error>: Subject<Element, Error>,
  @unchecked Sendable
{
  /// How many elements a new observer is sent at most.
  public let bufferSize: Int

  public init(bufferSize: Int = Int.max) {
    self.bufferSize = max(0, bufferSize)
    super.init(core: SubjectCore(replayLimit: self.bufferSize))
  }

  /// Sends an element to all observers.
  // As all subjects do; said here again because a call through the protocol arrives at the open class, where nothing is
  // specialised for the element: some 1,300 ns instead of 90.
  @inlinable
  public func send(_ element: Element) {
    core.send(.next(element))
  }

  @inlinable
  public override func on(_ event: Signal<Element, Error>.Event) {
    core.send(event)
  }

  @inlinable
  public override func observe(
    with observer: @escaping Observer<Element, Error>
  ) -> any Disposable {
    observeChain(with: observer)
  }

  @inlinable
  public override func _attach(
    _ observer: @escaping Observer<Element, Error>, to chain: ChainDisposable
  ) {
    core.attachReplaying(observer, to: chain)
  }
}

/// A replay subject that cannot fail.
public typealias SafeReplaySubject<Element> = ReplaySubject<Element, Never>
