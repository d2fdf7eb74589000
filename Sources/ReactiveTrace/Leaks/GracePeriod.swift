import HostSafety

/// A schedule for checking again whether something has ended that should end soon.
struct GracePeriod {
  /// The minimum number of checks. On a busy machine, the time can end before work that was already
  /// enqueued got a turn.
  private static let minChecks = 20

  private let duration: Duration
  private let start = ContinuousClock.now
  private var pause: Duration = .microseconds(50)
  private var checks = 0

  init(_ duration: Duration) { self.duration = duration }

  /// Returns the time to wait before the next check, or nil after the grace period. The time is 0
  /// if others only need a turn.
  mutating func next() -> Duration? {
    let left = duration - (ContinuousClock.now - start)
    checks += 1
    guard left > .zero else {
      return duration > .zero && checks <= Self.minChecks ? .zero : nil
    }
    defer { pause = min(pause * 2, .milliseconds(10)) }
    return min(pause, left)
  }

  /// Suspends the task until `isOver` returns true or the grace period ends.
  static func wait(
    _ duration: Duration, isolation: isolated (any Actor)? = #isolation, until isOver: () -> Bool
  ) async {
    var period = GracePeriod(duration)
    while !isOver(), let pause = period.next() {
      // A canceled task doesn't sleep, so it polls without pauses.
      do { try await Task.sleep(for: pause) } catch { await Task.yield() }
    }
  }

  /// Blocks the thread until `isOver` returns true or the grace period ends.
  static func block(_ duration: Duration, until isOver: () -> Bool) {
    var period = GracePeriod(duration)
    while !isOver(), let pause = period.next() {
      if pause > .zero { LogClock.pause(pause) } else { LogClock.yield() }
    }
  }
}
