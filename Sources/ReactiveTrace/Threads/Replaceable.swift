import Synchronization
import TraceFormat

/// An object that is made when it is first asked for and lives as long as the process, without a lock: a forked child gets
/// another one, as a thread that it does not have may hold the locks of the first.
struct Replaceable<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  private let address = Atomic<UInt>(0)
  private let make: @Sendable () -> Object

  init(_ make: @escaping @Sendable () -> Object) { self.make = make }

  var current: Object {
    let known = address.load(ordering: .acquiring)
    return object(at: known) ?? first()
  }

  /// Puts another object in place. Who has the old one may go on using it.
  func replace(_ new: Object) {
    address.store(
      UInt(bitPattern: Unmanaged.passRetained(new).toOpaque()), ordering: .releasing)
  }

  @inline(never)
  private func first() -> Object {
    let new = Unmanaged.passRetained(make())
    let (isFirst, known) = address.compareExchange(
      expected: 0, desired: UInt(bitPattern: new.toOpaque()), ordering: .acquiringAndReleasing)
    guard !isFirst, let other = object(at: known) else { return new.takeUnretainedValue() }
    new.release()
    return other
  }

  private func object(at address: UInt) -> Object? {
    UnsafeRawPointer(bitPattern: address).map {
      Unmanaged<Object>.fromOpaque($0).takeUnretainedValue()
    }
  }
}
