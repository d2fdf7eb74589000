/// From when to when a test source was observed, in seconds of virtual time.
package struct Lifetime: Hashable, CustomStringConvertible {
  package let subscribed: Int
  /// Nil while the observation lasts.
  package var disposed: Int?

  package init(_ subscribed: Int, _ disposed: Int?) {
    self.subscribed = subscribed
    self.disposed = disposed
  }

  package var description: String {
    "\(subscribed)...\(disposed.map(String.init) ?? "")"
  }
}
