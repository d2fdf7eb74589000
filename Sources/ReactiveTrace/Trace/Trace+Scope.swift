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
    let scope = begin(name(), recorder)
    defer { end(scope, recorder) }
    let outcome = TraceScope.$current.withValue(scope) {
      Outcome { () throws(Failure) -> Result in try body() }
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
    let scope = begin(name(), recorder)
    defer { end(scope, recorder) }
    let outcome = await TraceScope.$current.withValue(scope) {
      await Outcome { () async throws(Failure) -> Result in try await body() }
    }
    return try outcome.get()
  }

  private static func begin(_ name: String, _ recorder: Recorder) -> TraceScope {
    let outer = TraceScope.current
    let around = outer?.inside(recorder) ?? recorder.testScope
    let number = recorder.beginScope(name, inside: around?.number)
    recorder.scopeObserver?.begin(number)
    return TraceScope(name, number: number, in: recorder, outer: outer)
  }

  private static func end(_ scope: TraceScope, _ recorder: Recorder) {
    scope.end()
    recorder.endScope(scope.number)
    recorder.scopeObserver?.end(scope, recorder)
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
