public import CRuntime.OwnProcess

/// A value protected by a lock of the recorder, for sections that write files or wait for other
/// threads. A waiting thread sleeps. A thread that holds the lock counts as inside the recorder.
///
/// If a process is forked while a thread holds the lock, it stays locked in the child. So a child
/// gives up the log of its parent and never touches the locks of that log again.
@frozen @usableFromInline
package struct BlockingGuarded<Value>: Sendable {
  @usableFromInline let mutex: BlockingMutex<Value>

  @inlinable
  package init(_ value: consuming sending Value) { mutex = BlockingMutex(value) }

  /// Runs `body` with exclusive access to the value.
  @inlinable
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    trace_enter()
    defer { trace_leave() }
    return mutex.withLock(body)
  }

  /// Runs `body` with exclusive access to the value. Returns nil if access isn't possible by
  /// `deadline`, like `Guarded`.
  @inlinable
  package func withLock<Result>(until deadline: Int, _ body: (inout Value) -> Result) -> Result? {
    trace_enter()
    defer { trace_leave() }
    return poll(until: deadline) { mutex.withLockIfFree(body) }
  }
}
