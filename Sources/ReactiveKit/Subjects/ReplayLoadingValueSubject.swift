/// A subject of loading states that first sends a new observer the latest values that were loaded, at most as many as its
/// buffer holds, then the state if it is loading or failed since, and its terminal event if it had one.
// Unchecked because its superclass is open and says nothing of subclasses: all state is behind `Locked`.
public final class ReplayLoadingValueSubject<Value, LoadingError: Swift.Error, Error: Swift.Error>:
  Subject<LoadingState<Value, LoadingError>, Error>, @unchecked Sendable
{
  private struct Memory {
    var values: FIFO<Value> = FIFO()
    // Loading or failed, where that came after the last value.
    var newer: LoadingState<Value, LoadingError>?
    var terminal: Event?
  }

  private typealias Event = Signal<LoadingState<Value, LoadingError>, Error>.Event

  /// How many values a new observer is sent at most.
  public let bufferSize: Int

  private let memory = Locked(Memory())
  // Orders what is sent and what is replayed.
  private let line = ExecutionContext.nonRecursive()

  public init(bufferSize: Int = Int.max) {
    self.bufferSize = max(0, bufferSize)
    super.init(core: SubjectCore(replayLimit: 0))
  }

  public override func on(_ event: Signal<LoadingState<Value, LoadingError>, Error>.Event) {
    line.execute { [self] in
      let evicted = memory.withLock { note(event, &$0) }
      withExtendedLifetime(evicted) {}
      core.send(event)
    }
  }

  public override func receive(
    event: Signal<LoadingState<Value, LoadingError>, Error>.Event
  ) {
    on(event)
  }

  private func note(_ event: Event, _ memory: inout Memory) -> Value? {
    guard memory.terminal == nil else { return nil }
    switch event {
    case .next(.loaded(let value)):
      memory.newer = nil
      memory.values.append(value)
      return memory.values.count > bufferSize ? memory.values.popFirst() : nil
    case .next(let state): memory.newer = state
    case .failed, .completed: memory.terminal = event
    }
    return nil
  }

  public override func observe(
    with observer: @escaping Observer<LoadingState<Value, LoadingError>, Error>
  ) -> any Disposable {
    observeChain(with: observer)
  }

  public override func _attach(
    _ observer: @escaping Observer<LoadingState<Value, LoadingError>, Error>,
    to chain: ChainDisposable
  ) {
    // In the line of events: what is remembered fits what the observer is sent from then on. Where the line is busy, the
    // one who delivers does this after the event in progress.
    line.execute { [self] in
      let replay = memory.withLock { $0 }
      if replay.terminal == nil { core.attach(observer, to: chain) }
      replay.values.forEach { value in
        if chain.isDisposed { return false }
        observer(.next(.loaded(value)))
        return true
      }
      if let state = replay.newer, !chain.isDisposed { observer(.next(state)) }
      if let terminal = replay.terminal, !chain.isDisposed { observer(terminal) }
    }
  }
}
