/// A weak reference that tells an object about the disposal of its chain without keeping the object
/// alive.
@usableFromInline
package final class WeakDetachable<Owner: AnyObject & Detachable>: Detachable {
  @usableFromInline weak var owner: Owner?

  @inlinable
  package init(_ owner: Owner) {
    self.owner = owner
  }

  @inlinable
  package func detach(_ key: Int) {
    owner?.detach(key)
  }
}
