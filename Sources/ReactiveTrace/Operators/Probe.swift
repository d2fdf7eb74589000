public import ReactiveKit
import TraceFormat

/// The part of a tracing operator in one observation. It writes each event before forwarding it,
/// and records how the observation ends.
///
/// The probe is retained by the path of the events and by the chain, through which disposal reaches
/// it. If both release it before an end, then the subscription wasn't disposed and can't end
/// anymore: it was released.
@_fixed_layout @usableFromInline
final class Probe<Element, Error: Swift.Error>: Detachable {
  @usableFromInline let subscription: TracedSubscription
  @usableFromInline let token: TraceToken
  @usableFromInline let writer: ValueWriter<Element>

  /// Creates a probe and writes `subscribe`.
  @usableFromInline
  init(
    _ recorder: Recorder, _ writer: ValueWriter<Element>, site: SharedSite, chain: ChainDisposable,
    livesUntilExit: Bool
  ) {
    subscription = .make(
      recorder, site, chain, livesUntilExit: livesUntilExit)
    token = TraceToken(id: subscription.id, in: recorder)
    self.writer = writer
  }

  @inlinable
  deinit {
    subscription.released()
  }

  /// Observes upstream for this subscription. `subscribe` is already written at this point, because
  /// a source that sends immediately must not end before its beginning.
  @inlinable
  func observe<Source: SignalProtocol>(
    _ source: Source, _ observer: @escaping Observer<Element, Error>, _ chain: ChainDisposable
  ) where Source.Element == Element, Source.Error == Error {
    subscription.note(chain, observer)
    let outer = token.beginObserving(chain, self)
    source._attach({ event in self.pass(event, observer, chain) }, to: chain)
    TraceToken.endObserving(chain, outer, subscription)
  }

  /// Writes that the chain was disposed.
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
    // User code makes the text of an element, and it can dispose the chain.
    if chain.isDisposed { return }
    let outer = token.beginDelivering()
    observer(event)
    TraceToken.end(outer)
  }
}

extension TracedSubscription {
  /// Creates the subscription of an observation that is beginning. Its parent is found through the
  /// chain or the thread.
  static func make(
    _ recorder: Recorder, _ site: SharedSite, _ chain: ChainDisposable,
    livesUntilExit: Bool
  ) -> TracedSubscription {
    let thread = ThreadContext.current
    // The chain contains the traced subscription downstream, even across queues. If a custom
    // operator has begun its own chain, the thread's context contains it instead, because that
    // operator is being observed right now.
    let downstream = TraceToken(word: chain.tracedBy)
    let cause = thread.pointee.delivering.id(in: recorder)
    let taken = recorder.takeOver(downstream)
    let parent =
      taken.map { $0.parent }
      ?? recorder.subscription(
        of: downstream.isSubscription ? downstream : thread.pointee.observing)
    // The call that began the observation is also the place of later observations by operators,
    // because their own caller is the code that sends the event.
    let observed =
      taken.map { $0.observed }
      ?? (downstream.isSubscription ? parent?.observed : downstream.place)
    return TracedSubscription(
      recorder: recorder, id: taken?.id, site: site, observed: observed,
      parent: parent, cause: cause, scope: TraceScope.current,
      test: recorder.testScope, lifetimeIsProcess: livesUntilExit)
  }
}

// It retains what the user observes, unlike the recorder's other objects.
extension Probe: PlaysRole {
  static var objectRole: ObjectRole { .downstream }
}
