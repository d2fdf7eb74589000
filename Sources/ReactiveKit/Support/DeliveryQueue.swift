/// Decides, under the lock of its owner, who delivers an event: the bookkeeping that makes delivery serial.
///
/// The first thread to come delivers. Whatever arrives meanwhile, from other threads or from inside the observer that is
/// being called, waits in line and is delivered by that first thread before it leaves. So no thread ever blocks on
/// an observer, nothing deadlocks, and order is the order of arrival. After a terminal event nothing is admitted.
@usableFromInline
package struct DeliveryQueue<Element, Error: Swift.Error> {
  @usableFromInline package var isDelivering = false
  @usableFromInline package var isTerminated = false
  @usableFromInline var pending = FIFO<Signal<Element, Error>.Event>()

  @inlinable
  package init() {}

  /// Admits an event; true when the caller is the one to deliver it, now.
  @inlinable
  @inline(__always)
  package mutating func admit(_ event: Signal<Element, Error>.Event) -> Bool {
    guard !isTerminated else { return false }
    if event.isTerminal { isTerminated = true }
    guard !isDelivering else {
      pending.append(event)
      return false
    }
    isDelivering = true
    return true
  }

  /// Whether nothing waits to be delivered.
  @inlinable
  @inline(__always)
  package var isEmpty: Bool { pending.isEmpty }

  /// What the delivering thread delivers next; nil ends its turn.
  @inlinable
  @inline(__always)
  package mutating func following() -> Signal<Element, Error>.Event? {
    if let event = pending.popFirst() { return event }
    isDelivering = false
    return nil
  }

  /// Admits nothing more, and returns what waited, to be freed where no lock is held.
  @inlinable
  package mutating func close() -> FIFO<Signal<Element, Error>.Event> {
    isTerminated = true
    let dropped = pending
    pending.removeAll()
    return dropped
  }
}
