/// The time range of a subscription to a test source, in seconds of virtual time.
package struct Lifetime: Hashable, CustomStringConvertible {
  package let subscribed: Int
  /// The time of disposal, or nil while the subscription lasts.
  package var disposed: Int?

  package init(_ subscribed: Int, _ disposed: Int?) {
    self.subscribed = subscribed
    self.disposed = disposed
  }

  package var description: String {
    "\(subscribed)...\(disposed.map(String.init) ?? "")"
  }
}
