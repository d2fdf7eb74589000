import ReactiveKit
import TraceFormat

/// The tracer that ReactiveKit notifies of observations without a lane, and of work that moves to
/// other threads.
final class ReactiveTracer: Tracer {
  static let shared = ReactiveTracer()

  /// Traces an observation under the name of the location that makes it.
  func attach<Source: SignalProtocol>(
    _ source: Source, _ observer: @escaping Observer<Source.Element, Source.Error>,
    to chain: ChainDisposable
  ) {
    guard let recorder = Recorder.current,
      recorder.options.tracksAllSubscriptions || EnvironmentSettings.tracksAll
    else { return source._attach(observer, to: chain) }
    guard ThreadContext.current.pointee.sinkDepth == 0 else {
      return source._attach(observer, to: chain)
    }
    // A signal handler interrupted the recorder.
    guard !Inside.isInside else {
      recorder.lose()
      return source._attach(observer, to: chain)
    }
    let thread = ThreadContext.current
    let downstream = TraceToken(word: chain.tracedByForParts)
    Observation<Source.Element, Source.Error>(
      recorder, parent: downstream == .none ? thread.pointee.observing : downstream,
      outer: thread.pointee.beginning, stack: CallStack.current()
    ).observe(source, observer, chain)
  }

  /// Returns a closure that carries the current delivery and scope to the thread that runs an
  /// action. Returns nil if there is neither.
  func carrier() -> Tracing.Carrier? {
    let delivering = ThreadContext.current.pointee.delivering
    let scope = TraceScope.current
    if delivering == .none, scope == nil { return nil }
    return { action in
      let thread = ThreadContext.current
      let outer = thread.pointee.delivering
      thread.pointee.delivering = delivering
      TraceScope.$current.withValue(scope, operation: action)
      thread.pointee.delivering = outer
    }
  }
}
