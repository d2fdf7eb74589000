import TraceFormat

extension Trace {
  /// Writes a note that stands in the log by itself: `user tapped Save`.
  public static func mark(_ name: @autoclosure () -> String) {
    Recorder.current?.mark(name())
  }

  /// Runs `body` in a scope. Subscriptions know the scope they were made in, also in child tasks and behind the hops to
  /// other threads that ReactiveKit makes; one that outlives its scope is suspect.
  ///
  ///     Trace.scope("ProfileScreen") { show(profile) }
  ///
  /// Scopes nest. Where tracing is off, this costs one atomic load.
  public static func scope<Result, Failure: Error>(
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

  /// The same for a body that waits.
  public static func scope<Result, Failure: Error>(
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
    let number = recorder.beginScope(name, inside: outer?.inside(recorder)?.number)
    return TraceScope(name, number: number, in: recorder, outer: outer)
  }

  private static func end(_ scope: TraceScope, _ recorder: Recorder) {
    scope.end()
    recorder.endScope(scope.number)
  }
}

/// What a body returned or threw; `Swift.Result` can be made of a synchronous body only.
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
