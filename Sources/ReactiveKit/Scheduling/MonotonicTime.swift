import Dispatch

/// The clock of operators that only read the time.
enum MonotonicTime {
  /// The number of nanoseconds since a moment that the system chooses. The number never decreases.
  static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
