import TraceFormat

extension Trace {
  /// Writes a standalone mark to the log, such as `user tapped Save`.
  public static func mark(_ name: @autoclosure () -> String) {
    Recorder.current?.mark(name())
  }

  /// Runs `body` in a named scope.
  ///
  /// Each subscription records the scope in which it was made. This also works in child tasks and
  /// in work that ReactiveKit moves to other threads. A subscription that outlives its scope is
  /// suspicious.
  ///
  ///     Trace.withScope("ProfileScreen") { show(profile) }
  ///
  /// Scopes can be nested. If tracing is off, this function costs one atomic load.
  public static func withScope<Result, Failure: Error>(
    _ name: @autoclosure () -> String, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let recorder = Recorder.current else { return try body() }
    let scope = recorder.begin(name(), inside: TraceScope.current)
    defer { recorder.end(scope) }
    let carrier = ScopeCarriers.current
    let outcome = TraceScope.run(in: scope) {
      Outcome { () throws(Failure) -> Result in
        guard let carrier else { return try body() }
        return try carrier.run(Scope(scope), body)
      }
    }
    return try outcome.get()
  }

  /// Runs an asynchronous `body` in a named scope. Otherwise, this function behaves like the
  /// synchronous one.
  public static func withScope<Result, Failure: Error>(
    _ name: @autoclosure () -> String, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    guard let recorder = Recorder.current else { return try await body() }
    let scope = recorder.begin(name(), inside: TraceScope.current)
    defer { recorder.end(scope) }
    let carrier = ScopeCarriers.current
    let outcome = await TraceScope.run(in: scope) {
      await Outcome { () async throws(Failure) -> Result in
        guard let carrier else { return try await body() }
        return try await carrier.run(Scope(scope), isolation: isolation, body)
      }
    }
    return try outcome.get()
  }
}

/// The outcome of a body: the value that it returned or the error that it threw. `Swift.Result` can
/// only be created from a synchronous body.
enum Outcome<Success, Failure: Error> {
  case success(Success)
  case failure(Failure)

  init(_ body: () throws(Failure) -> Success) {
    do throws(Failure) { self = .success(try body()) } catch { self = .failure(error) }
  }

  init(isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Success)
    async
  {
    do throws(Failure) { self = .success(try await body()) } catch { self = .failure(error) }
  }

  func get() throws(Failure) -> Success {
    switch self {
    case .success(let value): return value
    case .failure(let error): throw error
    }
  }
}
