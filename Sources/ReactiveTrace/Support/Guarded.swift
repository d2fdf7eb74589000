import CRuntime.OwnProcess
import ReactiveKit
import SystemLibrary

/// A value protected by a lock of the recorder, for short sections. A thread that holds the lock
/// counts as inside the recorder.
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

  /// Runs `body` with exclusive access to the value. Returns nil if access isn't possible by
  /// `deadline`, in nanoseconds of the monotonic clock. If a signal handler interrupts a thread
  /// that holds the lock, the thread keeps the lock for as long as the handler runs.
  func withLock<Result>(until deadline: Int, _ body: (inout Value) -> Result) -> Result? {
    trace_enter()
    defer { trace_leave() }
    return poll(until: deadline) { locked.withLockIfFree(body) }
  }
}
