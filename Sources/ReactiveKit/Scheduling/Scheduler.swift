/// A type that runs work: a queue, an execution context or the virtual time of a test.
public protocol Scheduler {
  func schedule(_ action: @escaping () -> Void)
}

/// A scheduler that can also run work later and provides the current time.
public protocol TimedScheduler: Scheduler {
  /// The monotonic time in nanoseconds, since a moment that the scheduler chooses.
  var now: UInt64 { get }

  /// Runs `action` once, `delay` nanoseconds from now. Disposing the result frees the action
  /// immediately, and the action does not run anymore.
  func schedule(after delay: UInt64, _ action: @escaping () -> Void) -> any Disposable
}

/// Returns the time `interval` nanoseconds after `time`, or the last possible time if that would be
/// later.
func later(_ time: UInt64, by interval: UInt64) -> UInt64 {
  let (sum, isTooLate) = time.addingReportingOverflow(interval)
  return isTooLate ? .max : sum
}

/// Converts seconds to nanoseconds. Negative values and NaN count as 0, and no result is longer
/// than 292 years.
func nanoseconds(_ seconds: Double) -> UInt64 {
  guard seconds > 0 else { return 0 }
  return UInt64(min(seconds * 1e9, 9.2e18).rounded())
}
