import TraceFormat

extension Trace {
  /// Which subscriptions a leak check judges.
  public enum LeakScope: Sendable {
    /// Those that are known to be made by the body.
    case body
    /// Also those made meanwhile by code that belongs to no check, wherever in the process: right only while nothing else runs.
    case process
  }

  /// Subscriptions that a leak check found alive.
  public struct LeakError: Error, Sendable, CustomStringConvertible {
    public let leaks: [ActiveSubscription]
    /// How many more are alive that were made meanwhile by code that belongs to no check. The body may have made them by way of
    /// `DispatchQueue.async`, `Thread` or `Task.detached`, or something that runs beside it may have.
    public let unattributed: Int
    /// How long was waited for them to end.
    public let grace: Duration

    public var description: String {
      let count = leaks.count == 1 ? "1 subscription" : "\(leaks.count) subscriptions"
      let heading =
        "\(count) made here had not ended after a grace of \(ActiveSubscription.text(grace)):"
      return ([heading] + leaks.map { "! \($0)" } + [note].compactMap { $0 })
        .joined(separator: "\n")
    }

    private var note: String? {
      guard unattributed > 0 else { return nil }
      let isOne = unattributed == 1
      return
        "\(unattributed) more \(isOne ? "subscription" : "subscriptions"), made meanwhile by code that "
        + "belongs to no check, \(isOne ? "is" : "are") active too; expectNoLeaks(scope: .process) judges "
        + "\(isOne ? "it" : "them")."
    }
  }

  /// Runs `body` and throws `LeakError` if a traced subscription that was made in it has not ended when it returns, nor
  /// in the time of `grace` after that.
  ///
  /// Subscriptions count that were made in the body, in its child tasks, behind the hops to other threads that ReactiveKit
  /// makes, and those made for such a subscription wherever that happens; so other tests may run meanwhile. A subscription
  /// that is meant to live until the program exits is no leak. No log is needed. An error of the body is thrown on;
  /// after a body that leaves nothing alive, nothing is waited for.
  ///
  /// What the body makes by way of `DispatchQueue.async`, `Thread` or `Task.detached` cannot be told from what runs beside it. It
  /// does not count, and an error only says how many there are; the scope `.process` judges it too, for suites that run one at a
  /// time.
  public static func expectNoLeaks<Result>(
    scope: LeakScope = .body, grace: Duration = .milliseconds(500),
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async throws -> Result {
    TracingState.beginWatching()
    defer { TracingState.endWatching() }
    let check = LeakCheck(scope, outer: TraceScope.current?.check)
    defer { check.close() }
    let inside = TraceScope(check, outer: TraceScope.current)
    let outcome = await TraceScope.$current.withValue(inside) {
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
    scope: LeakScope = .body, grace: Duration = .milliseconds(500), _ body: () throws -> Result
  ) throws -> Result {
    TracingState.beginWatching()
    defer { TracingState.endWatching() }
    let check = LeakCheck(scope, outer: TraceScope.current?.check)
    defer { check.close() }
    let inside = TraceScope(check, outer: TraceScope.current)
    let result = try TraceScope.$current.withValue(inside) { try body() }
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
    throw Trace.LeakError(
      leaks: leaks.map { Trace.ActiveSubscription($0) }, unattributed: check.others.count,
      grace: grace)
  }
}
