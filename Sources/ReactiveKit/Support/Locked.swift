#if THREAD_SANITIZER
  #if canImport(Glibc)
    public import Glibc
  #elseif canImport(Musl)
    public import Musl
  #else
    public import Darwin
  #endif
#else
  public import Synchronization
#endif

/// A value behind a lock: the only lock of the package.
///
/// Sections are a few instructions long and never call code of a user; whoever holds one decides, returns what to
/// do, and acts after it (`Synchronization.Mutex` degrades badly where a holder is preempted or makes system calls).
/// It is not recursive.
///
/// The value need not be `Sendable`, because existing ReactiveKit code has no `Sendable` elements. That is sound here:
/// every access to the value passes through the lock, and what leaves it (an observer closure, an element) goes to one
/// receiver at a time by the serial-delivery promise of the operators.
@usableFromInline
package struct Locked<Value>: ~Copyable, @unchecked Sendable {
  #if THREAD_SANITIZER
    // Synchronization.Mutex is invisible to the thread sanitizer on Linux, a pthread mutex is not. The value stands in
    // memory of its own: in a class, the sanitizer would take reading the object's header for reading the value.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let value: UnsafeMutablePointer<Value>

    @inlinable
    package init(_ value: consuming Value) {
      mutex = .allocate(capacity: 1)
      mutex.initialize(to: pthread_mutex_t())
      pthread_mutex_init(mutex, nil)
      self.value = .allocate(capacity: 1)
      self.value.initialize(to: value)
    }

    deinit {
      value.deinitialize(count: 1)
      value.deallocate()
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the value.
    @inlinable
    package borrowing func withLock<Result, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  #else
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
