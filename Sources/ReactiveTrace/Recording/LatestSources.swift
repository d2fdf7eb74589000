/// The latest subscription of each site and source, as far as a small table has room for them.
final class LatestSources: Sendable {
  private static let count = 256

  /// The numbers of the subscriptions whose site and source lead to the same place of the table,
  /// the latest one first, or an empty array until there is one.
  private let subscriptions = Guarded<[SIMD4<Int>]>([])

  /// Returns a live subscription of the same site that observes the same sources, or nil if none is
  /// known. Notes this one for later subscriptions in that case.
  func twin(
    of subscription: TracedSubscription, _ number: UInt, in live: LiveSubscriptions
  ) -> TracedSubscription? {
    let site = UInt(bitPattern: ObjectIdentifier(subscription.site))
    let slot = Int((number ^ site >> 4) % UInt(Self.count))
    let latest = subscriptions.withLock { $0.isEmpty ? SIMD4() : $0[slot] }
    for index in latest.indices where latest[index] != 0 {
      if let other = live.subscription(latest[index]), other.isTwin(of: subscription) {
        return other
      }
    }
    subscriptions.withLock { known in
      if known.isEmpty { known = Array(repeating: SIMD4(), count: Self.count) }
      known[slot] = SIMD4(subscription.id, latest[0], latest[1], latest[2])
    }
    return nil
  }
}
