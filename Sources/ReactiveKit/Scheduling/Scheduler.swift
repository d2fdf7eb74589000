/// Something that runs work: a queue, an execution context, a test's virtual time.
public protocol Scheduler {
  func schedule(_ action: @escaping () -> Void)
}

/// A scheduler that can also run work later, and knows what time it is.
public protocol TimedScheduler: Scheduler {
  /// Monotonic time in nanoseconds, since a moment of the scheduler's own choice.
  var now: UInt64 { get }

  /// Runs `action` once, `delay` nanoseconds from now. Disposing the result frees the action at once, and it does not
  /// run any more.
  func schedule(after delay: UInt64, _ action: @escaping () -> Void) -> any Disposable
}

/// The time `interval` nanoseconds after `time`, or the last of all times where that would be later.
func later(_ time: UInt64, by interval: UInt64) -> UInt64 {
  let (sum, isTooLate) = time.addingReportingOverflow(interval)
  return isTooLate ? .max : sum
}

/// Seconds in nanoseconds; what is negative or no number counts as 0, and no time is longer than 292 years.
func nanoseconds(_ seconds: Double) -> UInt64 {
  guard seconds > 0 else { return 0 }
  return UInt64(min(seconds * 1e9, 9.2e18).rounded())
}
