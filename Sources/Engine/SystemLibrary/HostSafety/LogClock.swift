/// A clock that returns the nanoseconds since the start of the log. It uses the monotonic clock or
/// times that a test provides.
@frozen @usableFromInline
package struct LogClock: Sendable {
  @usableFromInline let origin: Int
  @usableFromInline let provided: (@Sendable () -> Int)?

  /// Creates a monotonic clock that starts now.
  package init() {
    origin = Self.monotonic()
    provided = nil
  }

  /// Creates a clock that returns the results of `provided`.
  init(_ provided: @escaping @Sendable () -> Int) {
    origin = 0
    self.provided = provided
  }

  /// The time of the monotonic clock at the start, or nil if the clock uses provided times.
  package var monotonicOrigin: Int? { provided == nil ? origin : nil }

  @inlinable
  package var now: Int {
    if let provided { return provided() }
    return Self.monotonic() - origin
  }

  /// Suspends the thread for a duration.
  package static func pause(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    nanosleep(&time, nil)
  }

  /// Lets other threads run.
  @usableFromInline
  package static func yield() { sched_yield() }

  @usableFromInline
  package static func monotonic() -> Int {
    #if canImport(Darwin)
      return Int(clock_gettime_nsec_np(CLOCK_UPTIME_RAW))
    #else
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    #endif
  }
}
