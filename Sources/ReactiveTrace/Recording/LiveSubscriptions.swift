import ReactiveKit
import Synchronization
import SystemLibrary

/// The subscriptions of a recorder that haven't ended.
///
/// This object retains the subscriptions, but that doesn't prevent them from ending: when an
/// operator's probe is deallocated, it ends its subscription. The beginning and the end of a
/// subscription each cost an access to a table and a lock that few threads share.
package final class LiveSubscriptions: Sendable {
  private static let shardCount = 16

  /// A hash table of retained subscriptions. Those in a bucket are linked by `nextLive`. Their IDs
  /// are consecutive, so most buckets have one. A dictionary took 500 instead of 100 instructions
  /// for an insertion and a removal.
  private struct Table {
    private typealias Element = Unmanaged<TracedSubscription>

    /// The address of the first subscription of each bucket, or 0.
    private var buckets: [UInt] = []
    private(set) var count = 0

    private func bucket(_ id: Int) -> Int { id / shardCount & (buckets.count - 1) }

    mutating func insert(_ subscription: TracedSubscription) {
      if count == buckets.count { grow() }
      count += 1
      link(Unmanaged.passRetained(subscription))
    }

    private mutating func link(_ element: Element) {
      let address = UInt(bitPattern: element.toOpaque())
      element._withUnsafeGuaranteedRef { subscription in
        let bucket = bucket(subscription.id)
        subscription.nextLive.store(buckets[bucket], ordering: .relaxed)
        buckets[bucket] = address
      }
    }

    private mutating func grow() {
      let former = buckets
      buckets = Array(repeating: 0, count: max(4, 2 * former.count))
      Self.visit(former) { link($0) }
    }

    /// Removes a subscription. Returns true if it was in the table and must be released.
    mutating func remove(_ subscription: TracedSubscription) -> Bool {
      guard count > 0 else { return false }
      let bucket = bucket(subscription.id)
      let address = UInt(bitPattern: Unmanaged.passUnretained(subscription).toOpaque())
      let next = subscription.nextLive.load(ordering: .relaxed)
      var candidate = buckets[bucket]
      if candidate == address {
        buckets[bucket] = next
        count -= 1
        return true
      }
      while let element = Self.element(at: candidate) {
        candidate = element._withUnsafeGuaranteedRef { $0.nextLive.load(ordering: .relaxed) }
        guard candidate == address else { continue }
        element._withUnsafeGuaranteedRef { $0.nextLive.store(next, ordering: .relaxed) }
        count -= 1
        return true
      }
      return false
    }

    func subscription(_ id: Int) -> TracedSubscription? {
      guard count > 0 else { return nil }
      var candidate = buckets[bucket(id)]
      while let element = Self.element(at: candidate) {
        if element._withUnsafeGuaranteedRef({ $0.id == id }) {
          return element.takeUnretainedValue()
        }
        candidate = element._withUnsafeGuaranteedRef { $0.nextLive.load(ordering: .relaxed) }
      }
      return nil
    }

    var all: [TracedSubscription] {
      var all: [TracedSubscription] = []
      all.reserveCapacity(count)
      Self.visit(buckets) { all.append($0.takeUnretainedValue()) }
      return all
    }

    /// Releases the subscriptions of a table that no other thread uses.
    func release() { Self.visit(buckets) { $0.release() } }

    /// Calls `body` with each subscription. `body` can link it elsewhere or release it.
    private static func visit(_ buckets: [UInt], _ body: (Element) -> Void) {
      for first in buckets {
        var candidate = first
        while let element = element(at: candidate) {
          candidate = element._withUnsafeGuaranteedRef { $0.nextLive.load(ordering: .relaxed) }
          body(element)
        }
      }
    }

    private static func element(at address: UInt) -> Element? {
      UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0) }
    }
  }

  private typealias Shard = Guarded<Table>

  /// The address of the shards. As objects, each would be retained for each access.
  private let shards: UInt

  init() {
    let shards = UnsafeMutablePointer<Shard>.allocate(capacity: Self.shardCount)
    for index in 0..<Self.shardCount { (shards + index).initialize(to: Shard(Table())) }
    self.shards = UInt(bitPattern: shards)
  }

  deinit {
    removeAll()
    shard(0).deinitialize(count: Self.shardCount)
    shard(0).deallocate()
  }

  func insert(_ subscription: TracedSubscription) {
    shard(subscription.id).pointee.withLock { $0.insert(subscription) }
  }

  func remove(_ subscription: TracedSubscription) {
    let isRemoved = shard(subscription.id).pointee.withLock { $0.remove(subscription) }
    // The caller has another reference, so this isn't the last one.
    if isRemoved { Unmanaged.passUnretained(subscription).release() }
  }

  func removeAll() {
    for index in 0..<Self.shardCount {
      let removed = shard(index).pointee.withLock { table in
        defer { table = Table() }
        return table
      }
      removed.release()
    }
  }

  /// The number of live subscriptions. Reading it doesn't allocate.
  var count: Int {
    var count = 0
    var index = 0
    // In unoptimized code, a `for` loop allocates.
    while index < Self.shardCount {
      count += shard(index).pointee.withLock { $0.count }
      index += 1
    }
    return count
  }

  func subscription(_ id: Int) -> TracedSubscription? {
    if Inside.isInside { return nil }
    return shard(id).pointee.withLock { $0.subscription(id) }
  }

  /// The live subscriptions, in the order in which they began.
  package var all: [TracedSubscription] {
    (0..<Self.shardCount).flatMap { shard($0).pointee.withLock { $0.all } }
      .sorted { $0.id < $1.id }
  }

  /// Returns the live subscriptions that satisfy a condition, in any order.
  func subscriptions(where isWanted: (TracedSubscription) -> Bool) -> [TracedSubscription] {
    // The condition can take locks of the recorder, so it is evaluated without the locks of the
    // shards.
    (0..<Self.shardCount).flatMap { shard($0).pointee.withLock { $0.all }.filter(isWanted) }
  }

  @inline(__always)
  private func shard(_ id: Int) -> UnsafeMutablePointer<Shard> {
    UnsafeMutablePointer<Shard>(bitPattern: shards).unsafelyUnwrapped + id & (Self.shardCount - 1)
  }
}
