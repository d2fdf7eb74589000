public import ReactiveKit
import TraceFormat

/// The saved activity of a thread for traced subscriptions while the thread works for another one.
@usableFromInline
package struct DeliveryContext {
  let delivering: TraceToken
  let observing: TraceToken
}

/// The saved state of a thread and of a chain while the thread observes upstream for a traced
/// subscription. It isn't part of `DeliveryContext`, which is saved for each element.
@usableFromInline
struct ObservingContext {
  let tracedBy: Int64
  let observing: TraceToken
  let sources: OuterSources
}

extension TraceToken {
  /// Marks the thread as delivering an event of this subscription until `end` is called with the
  /// result.
  @usableFromInline
  package func beginDelivering() -> DeliveryContext {
    let thread = ThreadContext.current
    let outer = DeliveryContext(
      delivering: thread.pointee.delivering, observing: thread.pointee.observing)
    thread.pointee.delivering = self
    thread.pointee.observing = .none
    return outer
  }

  /// Restores the previous activity of the thread.
  @usableFromInline
  package static func end(_ outer: DeliveryContext) {
    let thread = ThreadContext.current
    thread.pointee.delivering = outer.delivering
    thread.pointee.observing = outer.observing
  }

  /// Marks the thread as observing for this subscription through `chain` until `endObserving` is
  /// called with the result. `attached` is notified when the chain is disposed.
  @usableFromInline
  func beginObserving(_ chain: ChainDisposable, _ attached: any Detachable) -> ObservingContext {
    chain.attach(attached)
    let thread = ThreadContext.current
    let outer = ObservingContext(
      tracedBy: chain.tracedBy, observing: thread.pointee.observing,
      sources: thread.pointee.sources.beginSubscription())
    chain.tracedBy = whole.word
    thread.pointee.observing = self
    return outer
  }

  @usableFromInline
  static func endObserving(
    _ chain: ChainDisposable, _ outer: ObservingContext, _ subscription: TracedSubscription
  ) {
    let thread = ThreadContext.current
    thread.pointee.observing = outer.observing
    chain.tracedBy = outer.tracedBy
    subscription.note(thread.pointee.sources.endSubscription(outer.sources))
  }
}
