#if canImport(Darwin)
  public import Synchronization
#endif

/// A value behind a lock: the only lock of the package.
///
/// Sections are a few instructions long and never call code of a user; whoever holds one decides, returns what to
/// do, and acts after it. It is not recursive.
///
/// The value need not be `Sendable`, because existing ReactiveKit code has no `Sendable` elements. That is sound here:
/// every access to the value passes through the lock, and what leaves it (an observer closure, an element) goes to one
/// receiver at a time by the serial-delivery promise of the operators.
///
/// Elsewhere than on Darwin the lock is a `SpinLock`: one atomic read-modify-write a section where `Mutex` takes two and
/// asks for the thread's number. Darwin's own lock knows about priorities, which a spinning thread does not.
@usableFromInline
package struct Locked<Value>: ~Copyable, @unchecked Sendable {
  #if canImport(Darwin)
    @usableFromInline
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

    /// Runs `body` with exclusive access to the value unless somebody else has it.
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
      // By way of a variable: of a longer path, the thread sanitizer would take the lock itself for what is changed.
      let value = cell.address
      return try body(&value.pointee)
    }

    /// Runs `body` with exclusive access to the value unless somebody else has it.
    @inlinable
    package borrowing func withLockIfFree<Result>(_ body: (inout Value) -> Result) -> Result? {
      guard lock.tryLock() else { return nil }
      defer { lock.unlock() }
      let value = cell.address
      return body(&value.pointee)
    }
  #endif
}

/// Carries a value that is not `Sendable` into a `@Sendable` closure, for the one place that needs it: work handed to a
/// queue.
///
/// Sound because the sender gives the value away: whoever makes a `Transferred` does not touch the value again before
/// the closure has run, or what it touches is itself behind `Locked` or an atomic.
@usableFromInline
package struct Transferred<Value>: @unchecked Sendable {
  @usableFromInline let value: Value

  @inlinable
  package init(_ value: Value) {
    self.value = value
  }
}
