import ReactiveTrace
public import Tracing

/// A span that is also a scope of the trace. Both end when the span ends.
public struct TracedSpan<Base: Span>: Span {
  public let base: Base
  /// The context of the wrapped span, with the scope.
  public let context: ServiceContext
  private let scope: Trace.Scope?

  init(_ base: Base, _ scope: Trace.Scope?, endsScope: Bool = true) {
    self.base = base
    self.scope = endsScope ? scope : nil
    var context = base.context
    context.traceScope = scope
    self.context = context
  }

  /// The name of the span and of its scope.
  public var operationName: String {
    get { base.operationName }
    nonmutating set {
      base.operationName = newValue
      scope?.name = newValue
    }
  }

  public var attributes: SpanAttributes {
    get { base.attributes }
    nonmutating set { base.attributes = newValue }
  }

  public var isRecording: Bool { base.isRecording }

  public func setStatus(_ status: SpanStatus) { base.setStatus(status) }

  public func addEvent(_ event: SpanEvent) { base.addEvent(event) }

  public func addLink(_ link: SpanLink) { base.addLink(link) }

  public func recordError<Instant: TracerInstant>(
    _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
  ) {
    base.recordError(error, attributes: attributes, at: instant())
  }

  public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
    base.end(at: instant())
    scope?.end()
  }
}

extension Span {
  /// Adds the attributes with which the scope can be found in the log.
  func join(_ scope: Trace.Scope) {
    updateAttributes { attributes in
      attributes["reactivekit.scope"] = scope.id
      attributes["reactivekit.log"] = scope.logID
    }
  }

  /// Notes the error of a body, like `withSpan`.
  func note<Success, Failure: Error>(_ outcome: Result<Success, Failure>) -> Result<
    Success, Failure
  > {
    if case .failure(let error) = outcome {
      recordError(error)
      setStatus(SpanStatus(code: .error))
    }
    return outcome
  }
}

private enum TraceScopeKey: ServiceContextKey {
  typealias Value = Trace.Scope

  static var nameOverride: String? { "reactivekit.scope" }
}

extension ServiceContext {
  /// The scope of the span to which the context belongs.
  var traceScope: Trace.Scope? {
    get { self[TraceScopeKey.self] }
    set { self[TraceScopeKey.self] = newValue }
  }
}
