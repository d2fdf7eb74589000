import ReactiveKit
import SystemLibrary
import TraceFormat
import TraceShims

/// Whether the calling thread is inside the recorder. A signal handler must check it: if the
/// handler interrupted the thread inside the recorder, it would wait for a lock that its own thread
/// holds.
enum Inside {
  static var isInside: Bool { trace_is_inside() }
}

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

  /// Runs `body` with exclusive access to the value. Returns nil if access isn't possible until
  /// `deadline`, in nanoseconds of the monotonic clock. If a signal handler interrupts a thread
  /// that holds the lock, the thread keeps the lock for as long as the handler runs.
  func withLock<Result>(until deadline: Int, _ body: (inout Value) -> Result) -> Result? {
    trace_enter()
    defer { trace_leave() }
    return poll(until: deadline) { locked.withLockIfFree(body) }
  }
}

/// A value protected by a lock of the recorder, for sections that write files or wait for other
/// threads. A waiting thread sleeps. A thread that holds the lock counts as inside the recorder.
///
/// If a process is forked while a thread holds the lock, it stays locked in the child. So a child
/// gives up the log of its parent and never touches the locks of that log again.
struct BlockingGuarded<Value>: Sendable {
  private let mutex: BlockingMutex<Value>

  init(_ value: consuming sending Value) { mutex = BlockingMutex(value) }

  /// Runs `body` with exclusive access to the value.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    trace_enter()
    defer { trace_leave() }
    return mutex.withLock(body)
  }

  /// Runs `body` with exclusive access to the value. Returns nil if access isn't possible until
  /// `deadline`, like `Guarded`.
  func withLock<Result>(until deadline: Int, _ body: (inout Value) -> Result) -> Result? {
    trace_enter()
    defer { trace_leave() }
    return poll(until: deadline) { mutex.withLockIfFree(body) }
  }
}

/// Repeats `attempt` until it returns a value, or until `deadline`. At exit, a thread must only
/// wait like this and never sleep in a lock, because a signal handler can have interrupted the
/// lock's holder.
private func poll<Result>(until deadline: Int, _ attempt: () -> Result?) -> Result? {
  while true {
    if let result = attempt() { return result }
    if LogClock.monotonic() > deadline { return nil }
    LogClock.yield()
  }
}
