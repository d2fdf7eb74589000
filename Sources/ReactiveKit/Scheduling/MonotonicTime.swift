import Dispatch

/// The clock of operators that only look at the time.
enum MonotonicTime {
  /// Nanoseconds since a moment of the system's choice; never goes back.
  static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
