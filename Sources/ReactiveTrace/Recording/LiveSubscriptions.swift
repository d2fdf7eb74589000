import HostSafety
import ReactiveKit

/// The subscriptions of a recorder that haven't ended.
///
/// This object retains the subscriptions, but that doesn't prevent them from ending: when an
/// operator's probe is deallocated, it ends its subscription. The beginning and the end of a
/// subscription each cost a dictionary access and a lock that few threads share.
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

  /// The number of live subscriptions. Reading it doesn't allocate.
  var count: Int {
    var count = 0
    shards.visitInPlace { shard in count += shard.subscriptions.withLock { $0.count } }
    return count
  }

  func subscription(_ id: Int) -> TracedSubscription? {
    if Inside.isInside { return nil }
    return shard(id).subscriptions.withLock { $0[id] }
  }

  /// The live subscriptions, in the order in which they began.
  package var all: [TracedSubscription] {
    shards.flatMap { shard in shard.subscriptions.withLock { Array($0.values) } }
      .sorted { $0.id < $1.id }
  }

  /// Returns the live subscriptions that satisfy a condition, in any order.
  func subscriptions(where isWanted: (TracedSubscription) -> Bool) -> [TracedSubscription] {
    // The condition can take locks of the recorder, so it is evaluated without the locks of the
    // shards.
    shards.flatMap { shard in
      shard.subscriptions.withLock { Array($0.values) }.filter(isWanted)
    }
  }

  private func shard(_ id: Int) -> Shard { shards[id % Self.shardCount] }
}
