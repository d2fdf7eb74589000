import SystemLibrary

/// Nanoseconds since the log's start: the monotonic clock, or what a test says.
package struct LogClock: Sendable {
  private let origin: Int
  private let told: (@Sendable () -> Int)?

  /// The monotonic clock, from now on.
  package init() {
    origin = Self.monotonic()
    told = nil
  }

  /// A clock that shows what `told` returns.
  package init(_ told: @escaping @Sendable () -> Int) {
    origin = 0
    self.told = told
  }

  /// Where the monotonic clock was at the start; nil for a clock that is told.
  var monotonicOrigin: Int? { told == nil ? origin : nil }

  package var now: Int {
    if let told { return told() }
    return Self.monotonic() - origin
  }

  /// Halts the thread.
  static func pause(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    nanosleep(&time, nil)
  }

  /// Lets other threads run.
  static func yield() { sched_yield() }

  static func monotonic() -> Int {
    #if canImport(Darwin)
      return Int(clock_gettime_nsec_np(CLOCK_UPTIME_RAW))
    #else
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    #endif
  }
}
