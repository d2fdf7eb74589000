/// A subject that first sends a new observer the latest element, if there was one, and its terminal event if it had
/// one.
// Unchecked because its superclass is open and says nothing of subclasses: all state is behind `Locked`.
public final class ReplayOneSubject<Element, Error: Swift.Error>: Subject<Element, Error>,
  @unchecked Sendable
{
  public override init() {
    super.init(core: SubjectCore(replayLimit: 1))
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

/// A subject of the latest element that cannot fail.
public typealias SafeReplayOneSubject<Element> = ReplayOneSubject<Element, Never>
