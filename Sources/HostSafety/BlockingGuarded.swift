import SystemLibrary
import TraceShims

/// A value protected by a lock of the recorder, for sections that write files or wait for other
/// threads. A waiting thread sleeps. A thread that holds the lock counts as inside the recorder.
///
/// If a process is forked while a thread holds the lock, it stays locked in the child. So a child
/// gives up the log of its parent and never touches the locks of that log again.
package struct BlockingGuarded<Value>: Sendable {
  private let mutex: BlockingMutex<Value>

  package init(_ value: consuming sending Value) { mutex = BlockingMutex(value) }

  /// Runs `body` with exclusive access to the value.
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    trace_enter()
    defer { trace_leave() }
    return mutex.withLock(body)
  }

  /// Runs `body` with exclusive access to the value. Returns nil if access isn't possible until
  /// `deadline`, like `Guarded`.
  package func withLock<Result>(until deadline: Int, _ body: (inout Value) -> Result) -> Result? {
    trace_enter()
    defer { trace_leave() }
    return poll(until: deadline) { mutex.withLockIfFree(body) }
  }
}
