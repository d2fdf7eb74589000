import ReactiveKit
import TraceShims

/// What ReactiveKit tells the tracer: observations that nobody put a lane on, and work that goes to other threads.
final class ReactiveTracer: Tracer {
  static let shared = ReactiveTracer()

  /// Traces an observation under the place that makes it.
  func attach<Source: SignalProtocol>(
    _ source: Source, _ observer: @escaping Observer<Source.Element, Source.Error>,
    to chain: ChainDisposable
  ) {
    guard let recorder = Recorder.current,
      recorder.options.tracksAllSubscriptions || Settings.tracksAll
    else { return source._attach(observer, to: chain) }
    guard ThreadContext.current.pointee.sinkDepth == 0 else {
      return source._attach(observer, to: chain)
    }
    // A signal handler that has interrupted the recorder.
    guard !Inside.isInside else {
      recorder.lose()
      return source._attach(observer, to: chain)
    }
    trace_enter()
    let place = recorder.places.place()
    trace_leave()
    let site = TraceSite(lane: place.lane, operator: .observe, frames: place.stack.text)
    Probe<Source.Element, Source.Error>(
      recorder, ValueWriter(nil, .all, recorder), site: site, chain: chain, livesUntilExit: false
    ).observe(source, observer, chain)
  }

  /// Carries what is being delivered, and the scope, to the thread that runs `action`.
  func carrying(_ action: @escaping () -> Void) -> () -> Void {
    let delivering = ThreadContext.current.pointee.delivering
    let scope = TraceScope.current
    if delivering == .none, scope == nil { return action }
    return {
      let thread = ThreadContext.current
      let outer = thread.pointee.delivering
      thread.pointee.delivering = delivering
      TraceScope.$current.withValue(scope, operation: action)
      thread.pointee.delivering = outer
    }
  }
}
