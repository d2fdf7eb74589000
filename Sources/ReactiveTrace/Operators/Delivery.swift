public import ReactiveKit
import TraceFormat

/// What a thread was doing for traced subscriptions before it began to do something for another one.
@usableFromInline
package struct DeliveryContext {
  let delivering: TraceToken
  let observing: TraceToken
}

extension TraceToken {
  /// From now on the thread delivers an event of this subscription, until `end` is called with the result.
  @usableFromInline
  package func beginDelivering() -> DeliveryContext {
    let thread = ThreadContext.current
    let outer = DeliveryContext(
      delivering: thread.pointee.delivering, observing: thread.pointee.observing)
    thread.pointee.delivering = self
    thread.pointee.observing = .none
    return outer
  }

  /// The thread goes on with what it did before.
  @usableFromInline
  package static func end(_ outer: DeliveryContext) {
    let thread = ThreadContext.current
    thread.pointee.delivering = outer.delivering
    thread.pointee.observing = outer.observing
  }

  /// From now on the thread observes something for this subscription, by way of `chain`, until `endObserving` is called with
  /// the result. `attached` is told when the chain is disposed.
  @usableFromInline
  func beginObserving(_ chain: ChainDisposable, _ attached: any Detachable) -> DeliveryContext {
    chain.attach(attached)
    let thread = ThreadContext.current
    let outer = DeliveryContext(
      delivering: TraceToken(word: chain.tracedBy), observing: thread.pointee.observing)
    chain.tracedBy = word
    thread.pointee.observing = self
    return outer
  }

  @usableFromInline
  static func endObserving(_ chain: ChainDisposable, _ outer: DeliveryContext) {
    ThreadContext.current.pointee.observing = outer.observing
    chain.tracedBy = outer.delivering.word
  }
}
