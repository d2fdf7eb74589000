/// A weak reference to an object of any class.
///
/// It is unchecked because the object may belong to an actor or a thread. Other threads only
/// compare the reference with nil and read the address of the object, which never changes.
package final class WeakReference: @unchecked Sendable {
  private weak var object: AnyObject?
  /// The name of the object's class, without modules.
  package let type: String

  package init(_ object: AnyObject) {
    self.object = object
    type = String(describing: Swift.type(of: object))
  }

  package var isAlive: Bool { object != nil }

  /// The address of the object with all bits inverted, or nil if the object was deallocated. A
  /// search would take the address itself on the stack for a local variable that has the object.
  @inline(never)
  var invertedAddress: UInt? {
    object.map { ~UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) }
  }
}
