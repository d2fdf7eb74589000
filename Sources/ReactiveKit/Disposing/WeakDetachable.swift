/// Tells an object that its chain was disposed without keeping the object alive.
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
