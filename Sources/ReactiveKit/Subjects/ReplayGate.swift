public import Synchronization

/// Holds back new events from an observer that is still being sent the old ones.
@usableFromInline
final class ReplayGate<Element, Error: Swift.Error>: Sendable {
  @usableFromInline let isOpen = Atomic<Bool>(false)
  @usableFromInline let waiting = Locked(FIFO<Signal<Element, Error>.Event>())

  @inlinable
  init() {}

  /// Whether the event may be delivered now; else it is kept for `open`.
  @inlinable
  func admits(_ event: Signal<Element, Error>.Event) -> Bool {
    if isOpen.load(ordering: .acquiring) { return true }
    return waiting.withLock { waiting in
      if isOpen.load(ordering: .relaxed) { return true }
      waiting.append(event)
      return false
    }
  }

  /// Delivers what came meanwhile, and lets new events pass from then on.
  @inlinable
  func open(_ observer: Observer<Element, Error>, _ chain: ChainDisposable) {
    while let event = waiting.withLock({ waiting in
      let event = waiting.popFirst()
      if event == nil { isOpen.store(true, ordering: .releasing) }
      return event
    }) {
      if !chain.isDisposed { observer(event) }
    }
  }
}
