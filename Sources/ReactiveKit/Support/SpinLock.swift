public import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A lock for sections of a few instructions: taking it is one atomic read-modify-write, letting go a plain store.
///
/// A thread that finds it taken spins for about as long as such a section takes; if the holder is still not done, it was
/// taken off its core, and the thread gives up its own, for longer and longer.
@usableFromInline
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

  /// Takes the lock unless somebody has it.
  @inlinable
  @inline(__always)
  package borrowing func tryLock() -> Bool {
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
      // Looking first leaves the holder its cache line.
      if !isTaken.load(ordering: .relaxed),
        isTaken.weakCompareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
      {
        return
      }
      rounds += 1
      if rounds > 1000 {
        // 50 microseconds: longer than any section, short for a person.
        var pause = timespec(tv_sec: 0, tv_nsec: 50_000)
        nanosleep(&pause, nil)
      } else if rounds > 100 {
        sched_yield()
      }
    }
  }
}
