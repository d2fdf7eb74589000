extension Trace {
  /// Subscriptions that a leak check found alive.
  public struct LeakError: Error, Sendable, CustomStringConvertible {
    public let leaks: [ActiveSubscription]
    /// How long was waited for them to end.
    public let grace: Duration

    public var description: String {
      let count = leaks.count == 1 ? "1 subscription" : "\(leaks.count) subscriptions"
      return
        ([
          "\(count) made here had not ended after a grace of "
            + "\(ActiveSubscription.text(grace)):"
        ] + leaks.map { "! \($0)" }).joined(separator: "\n")
    }
  }

  /// Runs `body` and throws `LeakError` if a traced subscription that was made in it has not ended when it returns, nor
  /// in the time of `grace` after that.
  ///
  /// Subscriptions count that were made in the body, in its child tasks, behind the hops to other threads that ReactiveKit
  /// makes, and those made for such a subscription wherever that happens; so other tests may run meanwhile. A subscription
  /// that is meant to live until the program exits is no leak. No log is needed. An error of the body is thrown on;
  /// after a body that leaves nothing alive, nothing is waited for.
  public static func expectNoLeaks<Result>(
    grace: Duration = .milliseconds(500), isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async throws -> Result {
    ActiveLog.beginWatching()
    defer { ActiveLog.endWatching() }
    let check = LeakCheck(outer: TraceScope.current?.check)
    defer { check.close() }
    let scope = TraceScope(check, outer: TraceScope.current)
    let outcome = await TraceScope.$current.withValue(scope) {
      await Outcome { () async throws(any Error) -> Result in try await body() }
    }
    let result = try outcome.get()
    var poll = LeakPoll(grace)
    while let pause = poll.next(check) {
      // A task that is cancelled does not sleep: it looks again and again.
      do { try await Task.sleep(for: pause) } catch { await Task.yield() }
    }
    try poll.verdict(check)
    return result
  }

  /// The same for a body that does not wait. The calling thread is blocked for at most `grace`: what has to run on its
  /// queue to end a subscription does not run meanwhile.
  public static func expectNoLeaks<Result>(
    grace: Duration = .milliseconds(500), _ body: () throws -> Result
  ) throws -> Result {
    ActiveLog.beginWatching()
    defer { ActiveLog.endWatching() }
    let check = LeakCheck(outer: TraceScope.current?.check)
    defer { check.close() }
    let scope = TraceScope(check, outer: TraceScope.current)
    let result = try TraceScope.$current.withValue(scope) { try body() }
    var poll = LeakPoll(grace)
    while let pause = poll.next(check) { LogClock.pause(pause) }
    try poll.verdict(check)
    return result
  }
}

/// When to look again whether what a leak check found alive has ended.
struct LeakPoll {
  private let grace: Duration
  private let start = ContinuousClock.now
  private var pause: Duration = .microseconds(50)

  init(_ grace: Duration) { self.grace = grace }

  /// How long to wait before the next look; nil when there is no need for one, or no time.
  mutating func next(_ check: LeakCheck) -> Duration? {
    let left = grace - (ContinuousClock.now - start)
    guard left > .zero, !check.leaks.isEmpty else { return nil }
    defer { pause = min(pause * 2, .milliseconds(10)) }
    return min(pause, left)
  }

  func verdict(_ check: LeakCheck) throws(Trace.LeakError) {
    let leaks = check.leaks
    guard !leaks.isEmpty else { return }
    throw Trace.LeakError(leaks: leaks.map { Trace.ActiveSubscription($0) }, grace: grace)
  }
}
