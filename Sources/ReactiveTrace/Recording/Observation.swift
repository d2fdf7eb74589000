import ReactiveKit
import TraceFormat

/// An observation that the tracer sees. If no lane takes it over, it does the work of a lane's
/// probe.
final class Observation<Element, Error: Swift.Error>: BeginningObservation, Detachable {
  private let writer: ValueWriter<Element>

  init(
    _ recorder: Recorder, parent: TraceToken, outer: BeginningObservation?,
    stack: CallStack
  ) {
    writer = ValueWriter(nil, .all, recorder)
    super.init(
      recorder, type: String(describing: Element.self), parent: parent, outer: outer, stack: stack)
  }

  func observe<Source: SignalProtocol>(
    _ source: Source, _ observer: @escaping Observer<Element, Error>, _ chain: ChainDisposable
  ) where Source.Element == Element, Source.Error == Error {
    chain.attach(self)
    chain.tracedBy = token.whole.word
    let thread = ThreadContext.current
    let observing = thread.pointee.observing
    thread.pointee.observing = token
    startBeginning()
    source._attach({ event in self.pass(event, observer) }, to: chain)
    thread.pointee.observing = observing
    endBeginning()
  }

  func detach(_ key: Int) { subscription()?.disposed() }

  private func pass(_ event: Signal<Element, Error>.Event, _ observer: Observer<Element, Error>) {
    guard let subscription = subscription(), !subscription.hasEnded else { return observer(event) }
    switch event {
    case .next(let element): subscription.next(element, writer)
    case .failed(let error): subscription.failed(with: error)
    case .completed: subscription.completed()
    }
    let outer = token.beginDelivering()
    observer(event)
    TraceToken.end(outer)
  }
}
