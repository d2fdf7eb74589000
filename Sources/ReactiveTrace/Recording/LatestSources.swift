/// The latest subscription of each site and source, as far as a small table has room for them.
final class LatestSources: Sendable {
  private static let count = 1024

  /// The numbers of the subscriptions, or an empty array until there is one.
  private let subscriptions = Guarded<[Int]>([])

  /// Returns a live subscription of the same site that observes the same sources, or nil if none is
  /// known. Notes this one for later subscriptions in that case.
  func twin(
    of subscription: TracedSubscription, _ number: UInt, in live: LiveSubscriptions
  ) -> TracedSubscription? {
    let site = UInt(bitPattern: ObjectIdentifier(subscription.site))
    let slot = Int((number ^ site >> 4) % UInt(Self.count))
    let latest = subscriptions.withLock { $0.isEmpty ? 0 : $0[slot] }
    if latest != 0, let other = live.subscription(latest), other.isTwin(of: subscription) {
      return other
    }
    subscriptions.withLock { known in
      if known.isEmpty { known = [Int](repeating: 0, count: Self.count) }
      known[slot] = subscription.id
    }
    return nil
  }
}
