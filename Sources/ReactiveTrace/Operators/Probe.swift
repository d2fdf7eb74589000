import ReactiveKit

extension SignalProtocol {
  /// The one operator behind those that trace: puts a probe into each observation for which there is a recorder, and does
  /// nothing where there is none.
  func traced(
    _ site: TraceSite, by recorder: @escaping () -> Recorder?,
    describe: @escaping (Element) -> String
  ) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      if let recorder = recorder() {
        Probe(recorder, describe, site: site, chain: chain).observe(self, observer, chain)
      } else {
        self._attach(observer, to: chain)
      }
    })
  }
}

/// What a tracing operator puts into one observation: writes each event before it goes on, and sees every way to end.
///
/// The events' path and the chain hold it. Disposal reaches it through the chain. When both have let go of it and no
/// end was seen, nobody disposed the subscription and nothing can end it any more: it was released.
final class Probe<Element, Error: Swift.Error>: Detachable {
  private let subscription: TracedSubscription
  private let token: TraceToken
  private let describe: (Element) -> String

  /// Writes `subscribe`.
  init(
    _ recorder: Recorder, _ describe: @escaping (Element) -> String, site: TraceSite,
    chain: ChainDisposable
  ) {
    let thread = ThreadContext.current
    // The chain knows the traced subscription downstream, also across queues; where an operator of the user's has begun
    // a chain of its own, the thread does, because that operator is being observed right now.
    let downstream = TraceToken(word: chain.tracedBy)
    let parent = downstream == .none ? thread.pointee.observing : downstream
    subscription = TracedSubscription(
      recorder: recorder, lane: site.lane, operator: site.operator, source: site.source,
      function: site.function, type: String(describing: Element.self),
      parent: parent.id(in: recorder), cause: thread.pointee.delivering.id(in: recorder),
      lifetimeIsProcess: site.lifetime == .process)
    token = TraceToken(id: subscription.id, in: recorder)
    self.describe = describe
  }

  deinit {
    subscription.released()
  }

  /// Observes upstream on behalf of this subscription. `subscribe` is written by then: a source that sends at once must
  /// not end before it began.
  func observe<Source: SignalProtocol>(
    _ source: Source, _ observer: @escaping Observer<Element, Error>, _ chain: ChainDisposable
  ) where Source.Element == Element, Source.Error == Error {
    chain.attach(self)
    let thread = ThreadContext.current
    let outer = (chain: chain.tracedBy, thread: thread.pointee.observing)
    chain.tracedBy = token.word
    thread.pointee.observing = token
    source._attach({ event in self.pass(event, observer) }, to: chain)
    thread.pointee.observing = outer.thread
    chain.tracedBy = outer.chain
  }

  private func pass(
    _ event: Signal<Element, Error>.Event, _ observer: Observer<Element, Error>
  ) {
    switch event {
    case .next(let element): subscription.next(describe(element))
    case .failed(let error): subscription.failed(String(describing: error))
    case .completed: subscription.completed()
    }
    let thread = ThreadContext.current
    let outer = (delivering: thread.pointee.delivering, observing: thread.pointee.observing)
    thread.pointee.delivering = token
    thread.pointee.observing = .none
    observer(event)
    thread.pointee.delivering = outer.delivering
    thread.pointee.observing = outer.observing
  }

  /// The chain was disposed.
  func detach(_ key: Int) {
    subscription.disposed()
  }
}
