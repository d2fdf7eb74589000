/// A queue that makes delivery serial. It decides, under the lock of its owner, which thread
/// delivers an event.
///
/// The first thread to arrive delivers. Later events, from other threads or from inside the
/// observer being called, wait in line. The first thread delivers them before it leaves. So no
/// thread ever blocks on an observer, nothing deadlocks, and the order is the order of arrival.
/// After a terminal event, the queue admits nothing.
@frozen @usableFromInline
package struct DeliveryQueue<Element, Error: Swift.Error> {
  @usableFromInline package var isDelivering = false
  @usableFromInline package var isTerminated = false
  @usableFromInline var pending = FIFO<Signal<Element, Error>.Event>()

  @inlinable
  package init() {}

  /// Admits an event. Returns true if the caller must deliver it now.
  @inlinable
  @inline(__always)
  package mutating func admit(_ event: Signal<Element, Error>.Event) -> Bool {
    guard !isTerminated else { return false }
    if event.isTerminal { isTerminated = true }
    guard !isDelivering else {
      keep(event)
      return false
    }
    isDelivering = true
    return true
  }

  // Not inlined, so that the decision about an event stays short enough to be inlined.
  @inlinable
  @inline(never)
  mutating func keep(_ event: Signal<Element, Error>.Event) {
    pending.append(event)
  }

  /// A Boolean value that indicates whether no event waits for delivery.
  @inlinable
  @inline(__always)
  package var isEmpty: Bool { pending.isEmpty }

  /// Returns the next event for the delivering thread. Returns nil to end its turn.
  @inlinable
  @inline(__always)
  package mutating func following() -> Signal<Element, Error>.Event? {
    if let event = pending.popFirst() { return event }
    isDelivering = false
    return nil
  }

  /// Admits no further events. Returns the waiting events, so that they are freed without a lock.
  @inlinable
  package mutating func close() -> FIFO<Signal<Element, Error>.Event> {
    isTerminated = true
    let dropped = pending
    pending.removeAll()
    return dropped
  }
}
