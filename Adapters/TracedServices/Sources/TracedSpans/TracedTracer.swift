import ReactiveTrace
public import Tracing

/// A tracer that makes spans scopes of the trace, and scopes spans.
///
///     InstrumentationSystem.bootstrap(TracedTracer(tracer))
///
/// A subscription that is made in a span has its scope, also in child tasks, and the trace shows
/// which subscriptions outlive a span. The body of `Trace.withScope` runs in a span of its own.
/// Both kinds of spans have the attributes `reactivekit.scope`, the ID of the scope, and
/// `reactivekit.log`, the ID in the first line of the log.
///
/// If tracing with ReactiveTrace is off, the spans are those of the wrapped tracer, without scopes
/// and attributes.
public struct TracedTracer<Base: Tracer>: Tracer {
  public let base: Base

  /// Wraps a tracer. The last one that is made carries the scopes of the process.
  ///
  /// - Parameter scopesAreSpans: Whether each scope also gets a span.
  public init(_ base: Base, scopesAreSpans: Bool = true) {
    self.base = base
    Trace.carryScopes(with: SpanCarrier(tracer: base, scopesAreSpans: scopesAreSpans))
  }

  public func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> TracedSpan<Base.Span> {
    let parent = context()
    let span = base.startSpan(
      operationName, context: parent, ofKind: kind, at: instant(), function: function,
      file: fileID, line: line)
    // A scope of `withScope` can be inside the current span, but not inside another one.
    let isCurrent = parent.traceScope == ServiceContext.current?.traceScope
    let outer = isCurrent ? Trace.Scope.current : parent.traceScope
    let scope = Trace.Scope(operationName, inside: outer)
    if let scope { span.join(scope) }
    return TracedSpan(span, scope)
  }

  public func activeSpan(identifiedBy context: ServiceContext) -> TracedSpan<Base.Span>? {
    base.activeSpan(identifiedBy: context).map { TracedSpan($0, context.traceScope) }
  }

  public func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {
    base.extract(carrier, into: &context, using: extractor)
  }

  public func inject<Carrier, Inject: Injector>(
    _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {
    base.inject(context, into: &carrier, using: injector)
  }

  @available(*, deprecated)
  public func forceFlush() { base.forceFlush() }
}

/// What lets the recorder find the scope of a span, and gives a scope its span.
private struct SpanCarrier<Base: Tracer>: Trace.ScopeCarrier {
  let tracer: Base
  let scopesAreSpans: Bool

  var current: Trace.Scope? { ServiceContext.current?.traceScope }

  func run<Result, Failure: Error>(
    _ scope: Trace.Scope, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard scopesAreSpans else { return try body() }
    let span = begin(scope)
    defer { span.end() }
    let outcome = ServiceContext.$current.withValue(span.context) {
      Swift.Result { () throws(Failure) -> Result in try body() }
    }
    return try span.note(outcome).get()
  }

  func run<Result, Failure: Error>(
    _ scope: Trace.Scope, isolation: isolated (any Actor)?,
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    guard scopesAreSpans else { return try await body() }
    let span = begin(scope)
    defer { span.end() }
    let outcome = await ServiceContext.$current.withValue(span.context) {
      () async -> Swift.Result<Result, Failure> in
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    return try span.note(outcome).get()
  }

  private func begin(_ scope: Trace.Scope) -> TracedSpan<Base.Span> {
    let span = tracer.startSpan(scope.name)
    span.join(scope)
    return TracedSpan(span, scope, endsScope: false)
  }
}
