/// A subject of loading states that replays loaded values to new observers.
///
/// A new observer first gets the latest loaded values, at most `bufferSize` of them. Then it gets
/// the newest state if that is loading or failed. Finally, it gets the terminal event, if there was
/// one.
// Unchecked because the superclass is open and promises nothing about subclasses. All state is
// protected by `Locked`.
public final class ReplayLoadingValueSubject<Value, LoadingError: Swift.Error, Error: Swift.Error>:
  Subject<LoadingState<Value, LoadingError>, Error>, @unchecked Sendable
{
  private struct Memory {
    var values: FIFO<Value> = FIFO()
    // The loading or failed state that came after the last value, if any.
    var newer: LoadingState<Value, LoadingError>?
    var terminal: Event?
  }

  private typealias Event = Signal<LoadingState<Value, LoadingError>, Error>.Event

  /// The maximum number of values that a new observer receives.
  public let bufferSize: Int

  private let memory = Locked(Memory())
  // Keeps sent events and replayed events in order.
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
    // Runs in the queue of events, so that the replay matches the events that the observer gets
    // from then on. If the queue is busy, the delivering thread does this after the event in
    // progress.
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

extension ReplayLoadingValueSubject: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("memory", Memory.self)] }
}
