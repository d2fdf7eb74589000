/// A subject that replays the latest element to new observers, and its terminal event if there was
/// one.
// Unchecked because the superclass is open and promises nothing about subclasses. All state is
// protected by `Locked`.
public final class ReplayOneSubject<Element, Error: Swift.Error>: Subject<Element, Error>,
  @unchecked Sendable
{
  public override init() {
    super.init(core: SubjectCore(replayLimit: 1))
  }

  /// Sends an element to all observers.
  // Repeated here because a call through the protocol reaches the open class, where nothing is
  // specialized for the element: about 1,300 ns instead of 90 ns.
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

/// A replay-one subject that can't fail.
public typealias SafeReplayOneSubject<Element> = ReplayOneSubject<Element, Never>
