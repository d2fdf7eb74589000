import SystemLibrary
import TraceFormat

extension Trace {
  /// An error that lists the subscriptions that a leak check found alive, and explains what keeps
  /// them alive.
  public struct LeakError: Error, Sendable, CustomStringConvertible {
    /// The subscriptions to dispose.
    public let leaks: [ActiveSubscription]
    /// The subscriptions that are alive only because one of `leaks` is, such as those upstream of
    /// it. They end with it.
    public let consequences: [ActiveSubscription]
    /// The number of other live subscriptions that code outside any check made during this check.
    /// The body can have made them through `DispatchQueue.async`, `Thread` or `Task.detached`.
    /// Unrelated code that ran at the same time can also have made them.
    public let unattributed: Int
    /// The time that the check waited for the subscriptions to end.
    public let grace: Duration

    public var description: String {
      let count = leaks.count == 1 ? "1 subscription" : "\(leaks.count) subscriptions"
      let heading =
        "\(count) made here had not ended after a grace period "
        + "of \(ActiveSubscription.text(grace)):"
      return ([heading] + leaks.map { "! \($0)" } + remarks).joined(separator: "\n")
    }

    /// What the description says after the leaks.
    package var remarks: [String] { [remark, note].compactMap(\.self) }

    /// The lanes of the consequences, in a sentence.
    private var remark: String? {
      guard !consequences.isEmpty else { return nil }
      let isOne = consequences.count == 1
      let names = consequences.prefix(8).map { "#\($0.id) \($0.lane)" }
      let more = consequences.count > names.count ? ", ..." : ""
      return "\(consequences.count) more \(isOne ? "subscription leaks" : "subscriptions leak") "
        + "with \(leaks.count == 1 ? "it" : "them"): \(names.joined(separator: ", "))\(more)"
    }

    private var note: String? {
      guard unattributed > 0 else { return nil }
      let isOne = unattributed == 1
      return
        "\(unattributed) more \(isOne ? "subscription" : "subscriptions"), made during the check "
        + "by code outside any check, \(isOne ? "is" : "are") active too; "
        + "expectNoLeaks(scope: .process) includes \(isOne ? "it" : "them")."
    }
  }

  /// Runs `body` and throws `LeakError` if a traced subscription made in it is still alive after
  /// `grace`.
  ///
  /// The grace period begins when `body` returns. If all subscriptions have ended by then, the
  /// check doesn't wait. If `body` throws, its error is rethrown.
  ///
  /// The check covers subscriptions made in the body, in its child tasks, and in work that
  /// ReactiveKit moves to other threads. It also covers every subscription made for one of these,
  /// on any thread. Other tests can therefore run at the same time. A subscription that is meant to
  /// live until the program exits isn't a leak. The check doesn't require a log.
  ///
  /// A failed check explains what keeps the subscriptions alive, which takes at most two seconds.
  /// The environment variable `REACTIVE_TRACE_EXPLAIN` sets another number of seconds, or `off`.
  ///
  /// The check can't distinguish subscriptions that the body makes through `DispatchQueue.async`,
  /// `Thread` or `Task.detached` from those of unrelated code that runs at the same time. They
  /// don't count as leaks, and an error only reports their number. The scope `.process` includes
  /// them. Use it for test suites that run one at a time.
  public static func expectNoLeaks<Result>(
    scope: LeakScope = .body, grace: Duration = .milliseconds(500),
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async throws -> Result {
    let (result, error) = try await leaks(scope, grace: grace, body)
    if let error { throw error }
    return result
  }

  /// Runs `body`, and returns its result with an error if a subscription leaks.
  static func leaks<Result>(
    _ scope: LeakScope = .body, grace: Duration, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async throws -> (Result, LeakError?) {
    TracingState.beginWatching()
    defer { TracingState.endWatching() }
    let check = LeakCheck(scope, outer: TraceScope.current?.check) { TracingState.recorders }
    defer { check.close() }
    let inside = TraceScope(check, outer: TraceScope.current)
    let outcome = await TraceScope.run(in: inside) {
      await Outcome { () async throws(any Error) -> Result in try await body() }
    }
    let result = try outcome.get()
    await GracePeriod.wait(grace) { check.verdict.leaks.isEmpty }
    return (result, check.error(after: grace))
  }

  /// Runs a synchronous `body` and throws `LeakError` if a traced subscription made in it is still
  /// alive after `grace`.
  ///
  /// This function blocks the calling thread for at most `grace`. If a subscription ends through
  /// work on the thread's queue, that work doesn't run during that time. If no other task could
  /// run, a subscription that only a task keeps alive isn't an error. Otherwise, this function
  /// behaves like the asynchronous one.
  public static func expectNoLeaks<Result>(
    scope: LeakScope = .body, grace: Duration = .milliseconds(500), _ body: () throws -> Result
  ) throws -> Result {
    let (result, error) = try leaks(scope, grace: grace, body)
    if let error { throw error }
    return result
  }

  static func leaks<Result>(
    _ scope: LeakScope = .body, grace: Duration, _ body: () throws -> Result
  ) throws -> (Result, LeakError?) {
    TracingState.beginWatching()
    defer { TracingState.endWatching() }
    let check = LeakCheck(scope, outer: TraceScope.current?.check) { TracingState.recorders }
    defer { check.close() }
    let inside = TraceScope(check, outer: TraceScope.current)
    let result = try TraceScope.run(in: inside) { try body() }
    let turn = GracePeriod.block(grace) { check.verdict.leaks.isEmpty }
    return (result, check.error(after: grace, turn))
  }
}

extension LeakCheck {
  /// Returns an error if a subscription that the check covers leaks.
  ///
  /// - Parameter grace: The time that the check has waited.
  fileprivate func error(
    after grace: Duration, _ turn: GracePeriod.Turn = .ofOthers
  ) -> Trace.LeakError? {
    let verdict = verdict
    let roots = verdict.roots().map(\.root)
    guard !roots.isEmpty else { return nil }
    let retentions = LeakExplanations.record(roots, limit: EnvironmentSettings.explanationLimit)
    // One of them may keep another one alive.
    let leaks = verdict.roots(retentions).filter { leak in
      turn == .ofOthers
        || retentions[ObjectIdentifier(leak.root)]?.leadsThroughTask != true
    }
    guard !leaks.isEmpty else { return nil }
    return Trace.LeakError(
      leaks: leaks.map {
        Trace.ActiveSubscription($0.root, retentions[ObjectIdentifier($0.root)])
      },
      consequences: leaks.flatMap(\.consequences).map { Trace.ActiveSubscription($0) },
      unattributed: others.count, grace: grace)
  }
}
