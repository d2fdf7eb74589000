public import ReactiveKit
import TraceFormat

/// What a tracing operator puts into one observation: writes each event before it goes on, and sees every way to end.
///
/// The events' path and the chain hold it. Disposal reaches it through the chain. When both have let go of it and no
/// end was seen, nobody disposed the subscription and nothing can end it any more: it was released.
@usableFromInline
final class Probe<Element, Error: Swift.Error>: Detachable {
  @usableFromInline let subscription: TracedSubscription
  @usableFromInline let token: TraceToken
  @usableFromInline let writer: ValueWriter<Element>

  /// Writes `subscribe`.
  @usableFromInline
  init(
    _ recorder: Recorder, _ writer: ValueWriter<Element>, site: TraceSite, chain: ChainDisposable,
    livesUntilExit: Bool
  ) {
    subscription = .make(
      recorder, site, String(describing: Element.self), chain, livesUntilExit: livesUntilExit)
    token = TraceToken(id: subscription.id, in: recorder)
    self.writer = writer
  }

  @inlinable
  deinit {
    subscription.released()
  }

  /// Observes upstream on behalf of this subscription. `subscribe` is written by then: a source that sends at once must
  /// not end before it began.
  @inlinable
  func observe<Source: SignalProtocol>(
    _ source: Source, _ observer: @escaping Observer<Element, Error>, _ chain: ChainDisposable
  ) where Source.Element == Element, Source.Error == Error {
    let outer = token.beginObserving(chain, self)
    source._attach({ event in self.pass(event, observer, chain) }, to: chain)
    TraceToken.endObserving(chain, outer)
  }

  /// The chain was disposed.
  @usableFromInline
  package func detach(_ key: Int) { subscription.disposed() }

  @inlinable
  func pass(
    _ event: Signal<Element, Error>.Event, _ observer: Observer<Element, Error>,
    _ chain: ChainDisposable
  ) {
    switch event {
    case .next(let element): subscription.next(element, writer)
    case .failed(let error): subscription.failed(with: error)
    case .completed: subscription.completed()
    }
    // The text of an element is made by code of a user.
    if chain.isDisposed { return }
    let outer = token.beginDelivering()
    observer(event)
    TraceToken.end(outer)
  }
}

extension TracedSubscription {
  /// The subscription of an observation that is beginning: the chain and the thread know what it is made for.
  static func make(
    _ recorder: Recorder, _ site: TraceSite, _ type: String, _ chain: ChainDisposable,
    livesUntilExit: Bool
  ) -> TracedSubscription {
    let thread = ThreadContext.current
    // The chain knows the traced subscription downstream, also across queues; where an operator of the user's has begun
    // a chain of its own, the thread does, because that operator is being observed right now.
    let downstream = TraceToken(word: chain.tracedBy)
    let cause = thread.pointee.delivering.id(in: recorder)
    let taken = recorder.takeOver(downstream)
    let parent =
      taken.map(\.parent)
      ?? recorder.subscription(
        of: downstream == .none ? thread.pointee.observing : downstream)
    return TracedSubscription(
      recorder: recorder, id: taken?.id, site: site, type: type, parent: parent, cause: cause,
      scope: TraceScope.current, lifetimeIsProcess: livesUntilExit)
  }
}
