#if canImport(Darwin)
  public import Synchronization
#endif

/// A value that is protected by a lock, the only lock of the package.
///
/// Critical sections are a few instructions long and never call user code. A section decides and
/// returns what to do, and the caller acts after the section. The lock is not recursive.
///
/// The value need not be `Sendable`, because existing ReactiveKit code has elements that are not
/// `Sendable`. That is sound here. Every access to the value passes through the lock. Each value
/// that leaves it (an observer closure, an element) goes to one receiver at a time, because
/// operators deliver serially.
///
/// On platforms other than Darwin, the lock is a `SpinLock`. It takes one atomic read-modify-write
/// per section. `Mutex` takes two, and also looks up the thread ID. Darwin's own lock handles
/// priorities, which a spinning thread can't.
@frozen @usableFromInline
package struct Locked<Value>: ~Copyable, @unchecked Sendable {
  #if canImport(Darwin)
    @frozen @usableFromInline
    struct Unchecked<Wrapped>: @unchecked Sendable {
      @usableFromInline var wrapped: Wrapped

      @inlinable
      @inline(__always)
      init(_ wrapped: consuming Wrapped) {
        self.wrapped = wrapped
      }
    }

    @usableFromInline let mutex: Mutex<Unchecked<Value>>

    @inlinable
    @inline(__always)
    package init(_ value: consuming Value) {
      mutex = Mutex(Unchecked(value))
    }

    /// Runs `body` with exclusive access to the value.
    @inlinable
    @inline(__always)
    package borrowing func withLock<Result, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try mutex.withLock { (unchecked) throws(Failure) -> Unchecked<Result> in
        Unchecked(try body(&unchecked.wrapped))
      }.wrapped
    }

    /// Runs `body` with exclusive access to the value, or returns nil if another thread has access.
    @inlinable
    package borrowing func withLockIfFree<Result>(_ body: (inout Value) -> Result) -> Result? {
      mutex.withLockIfAvailable { unchecked in Unchecked(body(&unchecked.wrapped)) }?.wrapped
    }
  #else
    @usableFromInline let lock = SpinLock()
    @usableFromInline let cell: InlineStorage<Value>

    @inlinable
    @inline(__always)
    package init(_ value: consuming Value) {
      cell = InlineStorage(value)
    }

    /// Runs `body` with exclusive access to the value.
    @inlinable
    @inline(__always)
    package borrowing func withLock<Result, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      lock.lock()
      defer { lock.unlock() }
      // Uses a variable because the thread sanitizer would treat access through a longer path as a
      // change of the lock itself.
      let value = cell.address
      return try body(&value.pointee)
    }

    /// Runs `body` with exclusive access to the value, or returns nil if another thread has access.
    @inlinable
    package borrowing func withLockIfFree<Result>(_ body: (inout Value) -> Result) -> Result? {
      guard lock.tryLock() else { return nil }
      defer { lock.unlock() }
      let value = cell.address
      return body(&value.pointee)
    }
  #endif
}

/// A box that carries a value that is not `Sendable` into a `@Sendable` closure, such as work for a
/// queue.
///
/// This is sound because the sender gives the value away. The code that creates a `Transferred`
/// does not touch the value again before the closure has run. If it does, it touches only state
/// that a `Locked` or an atomic protects.
@frozen @usableFromInline
package struct Transferred<Value>: @unchecked Sendable {
  @usableFromInline let value: Value

  @inlinable
  package init(_ value: Value) {
    self.value = value
  }
}
