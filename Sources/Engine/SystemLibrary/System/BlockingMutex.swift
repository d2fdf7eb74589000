/// A value protected by a lock that puts a waiting thread to sleep. It is for sections that read
/// files, wait, or run for a long time.
///
/// The lock is the system's own mutex. It respects thread priorities if the system supports them,
/// and the thread sanitizer supports it. The thread sanitizer doesn't support
/// `Synchronization.Mutex` on Linux. The mutex isn't recursive.
@usableFromInline
package final class BlockingMutex<Value: ~Copyable>: @unchecked Sendable {
  private var value: Value
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  @usableFromInline
  package init(_ value: consuming sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with exclusive access to the value. Waits for access as long as necessary.
  @usableFromInline
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Runs `body` with exclusive access to the value, or returns nil if a thread has access.
  @usableFromInline
  package func withLockIfFree<Result>(_ body: (inout Value) -> Result) -> Result? {
    guard pthread_mutex_trylock(mutex) == 0 else { return nil }
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}
