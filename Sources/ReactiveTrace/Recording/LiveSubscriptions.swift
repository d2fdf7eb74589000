import ReactiveKit

/// The subscriptions of a recorder that have not ended.
///
/// It holds them, but what they trace does not hang on that: an operator's probe says when it goes, and that ends its
/// subscription. Beginning and ending cost a lock that few threads share and a dictionary each.
package final class LiveSubscriptions: Sendable {
  private static let shardCount = 16

  private final class Shard: Sendable {
    let subscriptions = Guarded<[Int: TracedSubscription]>([:])
  }

  private let shards = (0..<shardCount).map { _ in Shard() }

  func insert(_ subscription: TracedSubscription) {
    shard(subscription.id).subscriptions.withLock { $0[subscription.id] = subscription }
  }

  func remove(_ subscription: TracedSubscription) {
    let removed = shard(subscription.id).subscriptions.withLock {
      $0.removeValue(forKey: subscription.id)
    }
    withExtendedLifetime(removed) {}
  }

  func removeAll() {
    for shard in shards {
      let removed = shard.subscriptions.withLock { subscriptions in
        defer { subscriptions = [:] }
        return subscriptions
      }
      withExtendedLifetime(removed) {}
    }
  }

  func subscription(_ id: Int) -> TracedSubscription? {
    if Inside.isInside { return nil }
    return shard(id).subscriptions.withLock { $0[id] }
  }

  /// In the order in which they began.
  package var all: [TracedSubscription] {
    shards.flatMap { shard in shard.subscriptions.withLock { Array($0.values) } }
      .sorted { $0.id < $1.id }
  }

  private func shard(_ id: Int) -> Shard { shards[id % Self.shardCount] }
}
