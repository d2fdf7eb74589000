public import Synchronization

/// A gate that holds back new events from an observer that is still receiving old ones.
@_fixed_layout @usableFromInline
final class ReplayGate<Element, Error: Swift.Error>: Sendable {
  @usableFromInline let isOpen = Atomic<Bool>(false)
  @usableFromInline let waiting = Locked(FIFO<Signal<Element, Error>.Event>())

  @inlinable
  init() {}

  /// Reports whether the event may be delivered now. If not, keeps it for `open(_:_:)`.
  @inlinable
  func admits(_ event: Signal<Element, Error>.Event) -> Bool {
    if isOpen.load(ordering: .acquiring) { return true }
    return waiting.withLock { waiting in
      if isOpen.load(ordering: .relaxed) { return true }
      waiting.append(event)
      return false
    }
  }

  /// Delivers the events that were held back, and lets new events pass from then on.
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

extension ReplayGate: StoresValues {
  package static var storedValues: [StoredValue] {
    [.locked("waiting", FIFO<Signal<Element, Error>.Event>.self)]
  }
}
