package import TraceFormat

extension Trace {
  /// The subscriptions and tasks that a body started and that should have ended.
  package struct Leftovers: Sendable {
    package var subscriptions: LeakError?
    package var tasks: [StuckTask] = []
  }

  /// Runs `body` and returns its result with the traced subscriptions and the tasks that it has
  /// left behind. If it throws, nothing is searched for.
  ///
  /// - Parameters:
  ///   - grace: The time that subscriptions and tasks may take to end.
  package static func leftovers<Result>(
    subscriptions: Bool, tasks: Bool, grace: Duration,
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async throws -> (result: Result, leftovers: Leftovers) {
    var leftovers = Leftovers()
    let (outcome, origin) = await run(isMarked: tasks) {
      await Outcome { () async throws(any Error) -> Result in
        guard subscriptions else { return try await body() }
        let (result, error) = try await leaks(grace: grace, body)
        leftovers.subscriptions = error
        return result
      }
    }
    let result = try outcome.get()
    if let origin {
      await GracePeriod.wait(grace) { !origin.isAlive }
      if origin.isAlive {
        leftovers.tasks = await StuckTaskSearches.all.find(
          from: origin, limit: EnvironmentSettings.explanationLimit)
      }
    }
    return (result, leftovers)
  }

  /// Runs a synchronous `body`. It blocks the calling thread for the grace period. Otherwise, this
  /// function behaves like the asynchronous one.
  package static func leftovers<Result>(
    subscriptions: Bool, tasks: Bool, grace: Duration, _ body: () throws -> Result
  ) throws -> (result: Result, leftovers: Leftovers) {
    var leftovers = Leftovers()
    let (outcome, origin) = run(isMarked: tasks) {
      Outcome { () throws(any Error) -> Result in
        guard subscriptions else { return try body() }
        let (result, error) = try leaks(grace: grace, body)
        leftovers.subscriptions = error
        return result
      }
    }
    let result = try outcome.get()
    if let origin {
      let turn = GracePeriod.block(grace) { !origin.isAlive }
      if origin.isAlive, turn == .ofOthers {
        leftovers.tasks =
          StuckTaskSearches.find(from: [origin], limit: EnvironmentSettings.explanationLimit)[0]
      }
    }
    return (result, leftovers)
  }

  // The following functions return only after they have released the mark of the tasks.

  @inline(never)
  private static func run<Result>(
    isMarked: Bool, isolation: isolated (any Actor)? = #isolation, _ body: () async -> Result
  ) async -> (Result, WeakReference?) {
    guard isMarked else { return (await body(), nil) }
    let origin = TaskOrigin()
    let result = await TaskOrigin.$current.withValue(origin) { await body() }
    return (result, WeakReference(origin))
  }

  @inline(never)
  private static func run<Result>(
    isMarked: Bool, _ body: () -> Result
  ) -> (Result, WeakReference?) {
    guard isMarked else { return (body(), nil) }
    let origin = TaskOrigin()
    let result = TaskOrigin.$current.withValue(origin) { body() }
    return (result, WeakReference(origin))
  }
}
