public import Synchronization

/// An object that is created on first use, without a lock, and lives as long as the process. A
/// forked child gets a new object, because the first object's locks can be held by a thread that
/// doesn't exist in the child.
@frozen @usableFromInline
package struct Replaceable<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  @usableFromInline let address = Atomic<UInt>(0)
  @usableFromInline let make: @Sendable () -> Object

  @inlinable
  package init(_ make: @escaping @Sendable () -> Object) { self.make = make }

  @inlinable
  package var current: Object {
    let known = address.load(ordering: .acquiring)
    return object(at: known) ?? first()
  }

  /// Replaces the object. Code that has the old object can continue to use it.
  @inlinable
  package func replace(_ new: Object) {
    address.store(
      UInt(bitPattern: Unmanaged.passRetained(new).toOpaque()), ordering: .releasing)
  }

  @inlinable @inline(never)
  func first() -> Object {
    let new = Unmanaged.passRetained(make())
    let (isFirst, known) = address.compareExchange(
      expected: 0, desired: UInt(bitPattern: new.toOpaque()), ordering: .acquiringAndReleasing)
    guard !isFirst, let other = object(at: known) else { return new.takeUnretainedValue() }
    new.release()
    return other
  }

  @inlinable
  func object(at address: UInt) -> Object? {
    UnsafeRawPointer(bitPattern: address).map {
      Unmanaged<Object>.fromOpaque($0).takeUnretainedValue()
    }
  }
}
