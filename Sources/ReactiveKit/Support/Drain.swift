import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A mark on the current thread while it delivers events that arrived during a delivery.
///
/// Such a loop can run forever if each delivery causes the next one. Code inside the loop can't
/// notice that, because each delivery calls it again. The number of the loop shows that the thread
/// hasn't returned in the meantime. Of nested loops, only the outermost one counts.
@frozen @usableFromInline
package struct Drain {
  @usableFromInline var isOutermost = false

  @inlinable
  package init() {}

  /// Marks the thread, unless it is marked already.
  @inlinable
  package mutating func begin() {
    if !isOutermost { isOutermost = Drain.mark() }
  }

  /// Removes the mark if this loop made it.
  @inlinable
  package mutating func end() {
    guard isOutermost else { return }
    Drain.unmark()
    isOutermost = false
  }

  @usableFromInline
  static func mark() -> Bool {
    guard Mark.value == Mark.none else { return false }
    Mark.value = Mark.unnumbered
    return true
  }

  @usableFromInline
  static func unmark() {
    Mark.value = Mark.none
  }

  private static let lastNumber = Atomic<UInt>(Mark.unnumbered)

  /// The number of the outermost loop that this thread is in, or 0 outside of a loop. A loop gets
  /// its number when it is first requested.
  @usableFromInline
  package static var number: UInt {
    guard Mark.value == Mark.unnumbered else { return Mark.value }
    Mark.value = lastNumber.add(1, ordering: .relaxed).newValue
    return Mark.value
  }
}

/// The thread-specific value that marks a thread.
private enum Mark {
  static let none: UInt = 0
  static let unnumbered: UInt = 1

  // Nil if the process has no keys left. In that case, loops aren't detected.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  static var value: UInt {
    get { key.map { UInt(bitPattern: pthread_getspecific($0)) } ?? none }
    set {
      if let key { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
    }
  }
}
