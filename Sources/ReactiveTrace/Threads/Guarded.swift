import ReactiveKit
import SystemLibrary
import TraceFormat
import TraceShims

/// The state of the calling thread with respect to the recorder. A signal handler that interrupts
/// the thread inside the recorder must check it: the handler would wait for something that its own
/// thread holds.
enum Inside {
  static var isInside: Bool { trace_is_inside() }
}

/// A value behind a lock of the recorder, for short sections. A thread that holds the lock counts as
/// inside the recorder.
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
    return poll(until: deadline) { locked.withLockIfFree(body) }
  }
}

/// A value behind a lock of the recorder, for sections that write files or wait for other threads.
/// A waiting thread sleeps. A thread that holds the lock counts as inside the recorder.
///
/// If a process is forked while a thread holds the lock, it stays taken in the child. So a child
/// gives up the log of its parent, and never touches the locks of that log again.
struct BlockingGuarded<Value>: Sendable {
  private let mutex: BlockingMutex<Value>

  init(_ value: consuming sending Value) { mutex = BlockingMutex(value) }

  /// Runs `body` with exclusive access to the value.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    trace_enter()
    defer { trace_leave() }
    return mutex.withLock(body)
  }

  /// Runs `body` with exclusive access to the value. Returns nil if access is not possible until
  /// `deadline`, as `Guarded` does.
  func withLock<Result>(until deadline: Int, _ body: (inout Value) -> Result) -> Result? {
    trace_enter()
    defer { trace_leave() }
    return poll(until: deadline) { mutex.withLockIfFree(body) }
  }
}

/// Repeats `attempt` until it returns a value, or until `deadline`. This is all that a thread may do
/// at exit: it never sleeps in a lock, whose holder a signal handler may have interrupted.
private func poll<Result>(until deadline: Int, _ attempt: () -> Result?) -> Result? {
  while true {
    if let result = attempt() { return result }
    if LogClock.monotonic() > deadline { return nil }
    LogClock.yield()
  }
}
