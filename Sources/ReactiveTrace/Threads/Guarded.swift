import ReactiveKit
import TraceFormat
import TraceShims

/// Whether the calling thread is inside the recorder, which a signal handler that interrupts it there must know: what it
/// would wait for, this very thread holds.
enum Inside {
  static var isInside: Bool { trace_is_inside() }
}

/// A value behind a lock of the recorder's. While a thread holds it, it counts as inside the recorder.
struct Guarded<Value>: ~Copyable, Sendable {
  private let locked: Locked<Value>

  init(_ value: consuming Value) { locked = Locked(value) }

  /// Runs `body` with exclusive access to the value.
  @inline(__always)
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    trace_enter()
    defer { trace_leave() }
    return locked.withLock(body)
  }

  /// The same, or nil where the value cannot be had until `deadline`, in nanoseconds of the monotonic clock: a thread that
  /// was interrupted by a signal handler holds it for as long as the handler runs.
  func withLock<Result>(until deadline: Int, _ body: (inout Value) -> Result) -> Result? {
    trace_enter()
    defer { trace_leave() }
    while true {
      if let result = locked.withLockIfFree(body) { return result }
      if LogClock.monotonic() > deadline { return nil }
      LogClock.yield()
    }
  }
}
