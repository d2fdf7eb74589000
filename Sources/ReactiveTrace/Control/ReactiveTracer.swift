import ReactiveKit
import SwiftRuntime
import SystemLibrary
import TraceFormat

/// The tracer that ReactiveKit notifies about observations without a lane and about work that moves
/// to other threads.
final class ReactiveTracer: Tracer {
  static let shared = ReactiveTracer()

  /// Stores the place of a new observation in its chain. Returns true if the observation itself
  /// should be traced.
  @inline(never)
  func begin(_ chain: ChainDisposable) -> Bool {
    if TracingState.tracksAll { return true }
    // The chain of a shared connection has the token of the observer for which it is made. A signal
    // handler that interrupted the recorder doesn't record places.
    guard chain.tracedBy == 0, !Inside.isInside else { return false }
    chain.tracedBy = TraceToken(PlaceTable.current.here()).word
    return false
  }

  /// Traces an observation under the name of its location.
  func trace<Element, Error: Swift.Error>(
    _ observer: @escaping Observer<Element, Error>, _ chain: ChainDisposable,
    _ start: inout ObservationStart
  ) -> TracedObserver<Element, Error>? {
    guard let handle = TracingState.currentHandle, handle.withRecorder({ $0.tracksAll }) else {
      return nil
    }
    let thread = ThreadContext.current
    guard thread.pointee.sinkDepth == 0 else { return nil }
    // A signal handler interrupted the recorder.
    guard !Inside.isInside else {
      handle.withRecorder { $0.lose() }
      return nil
    }
    let downstream = TraceToken(word: chain.tracedByForParts)
    return BeginningObservation(
      handle, type: Metadata.address(of: Element.self),
      parent: downstream.isSubscription ? downstream : thread.pointee.observing,
      isOwnCall: !downstream.isSubscription, outer: thread.beginning,
      // Not called in a closure, because each call takes one of the frames that a place has.
      place: handle.locations.takeUnretainedValue().here()
    ).begin(observer, chain, &start, handle.withRecorder { ValueWriter(nil, .all, $0) })
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
      TraceScope.run(in: scope, action)
      thread.pointee.delivering = outer
    }
  }

  func join(_ chain: ChainDisposable) {
    guard !Inside.isInside, let recorder = Recorder.current else { return }
    recorder.subscription(of: TraceToken(word: chain.tracedBy))?.join()
  }

  func beginSource(_ source: SourceIdentity) -> OuterSources {
    ThreadContext.current.pointee.sources.begin(source)
  }

  func endSource(_ outer: OuterSources) {
    ThreadContext.current.pointee.sources.end(outer)
  }

  func move(_ connection: ChainDisposable, _ move: ConnectionMove) {
    guard !Inside.isInside, let recorder = Recorder.current else { return }
    recorder.move(connection, move)
  }
}
