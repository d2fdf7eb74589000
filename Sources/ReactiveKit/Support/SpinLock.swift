public import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A lock for critical sections of a few instructions. Locking is one atomic read-modify-write, and
/// unlocking is a plain store.
///
/// A thread that finds the lock taken spins for about as long as such a section takes. If the
/// holder is still not done, it lost its core. The waiting thread then gives up its own core, for
/// longer and longer.
@frozen @usableFromInline
package struct SpinLock: ~Copyable, Sendable {
  @usableFromInline let isTaken = Atomic<Bool>(false)

  @inlinable
  @inline(__always)
  package init() {}

  @inlinable
  @inline(__always)
  package borrowing func lock() {
    let (isFree, _) = isTaken.compareExchange(
      expected: false, desired: true, ordering: .acquiring)
    if !isFree { lockSlowPath() }
  }

  /// Takes the lock if it is free. Returns true if it took the lock.
  @inlinable
  @inline(__always)
  borrowing func tryLock() -> Bool {
    isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
  }

  @inlinable
  @inline(__always)
  package borrowing func unlock() {
    isTaken.store(false, ordering: .releasing)
  }

  @usableFromInline
  @inline(never)
  borrowing func lockSlowPath() {
    var rounds = 0
    while true {
      // A load before the exchange leaves the cache line to the holder.
      if !isTaken.load(ordering: .relaxed),
        isTaken.weakCompareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
      {
        return
      }
      rounds += 1
      if rounds > 1000 {
        // 50 microseconds is longer than any section, and too short for a person to notice.
        var pause = timespec(tv_sec: 0, tv_nsec: 50_000)
        nanosleep(&pause, nil)
      } else if rounds > 100 {
        sched_yield()
      }
    }
  }
}
