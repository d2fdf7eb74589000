import ReactiveKit
import TraceFormat
import TraceShims

/// The state of the calling thread with respect to the recorder. A signal handler that interrupts
/// the thread inside the recorder must check it: the handler would wait for something that its own
/// thread holds.
enum Inside {
  static var isInside: Bool { trace_is_inside() }
}

/// A value behind a lock of the recorder. A thread that holds the lock counts as inside the
/// recorder.
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

  /// Runs `body` with exclusive access to the value. Returns nil if access is not possible until
  /// `deadline`, in nanoseconds of the monotonic clock. If a signal handler interrupts a thread
  /// that holds the lock, the thread keeps the lock for as long as the handler runs.
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
