import Synchronization
import TestThreads
import Testing

@testable import ReactiveTrace
@testable import TraceFormat

@Suite("Live subscriptions")
struct LiveSubscriptionsTests {
  /// A recorder without a file. Its own list of subscriptions isn't used.
  private let recorder: Recorder
  private let live = LiveSubscriptions()

  init() throws { recorder = try Recorder(path: nil) }

  private func subscription(_ id: Int) -> TracedSubscription {
    let made = recorder.subscription("a", id: id)
    // Each subscription is in one list only.
    recorder.liveSubscriptions.remove(made)
    return made
  }

  @Test("Subscriptions are found by their IDs until they are removed")
  func found() {
    // IDs of one shard, of neighboring buckets, and with gaps.
    let ids = Array(0..<40) + (1..<40).map { 64 * $0 } + [1 << 20, 1 << 40]
    let made = ids.shuffled().map { subscription($0) }
    for subscription in made { live.insert(subscription) }
    #expect(live.count == ids.count)
    #expect(live.all.map(\.id) == ids.sorted())
    #expect(live.subscription(41) == nil)
    for (index, one) in made.shuffled().enumerated() {
      #expect(live.subscription(one.id) === one)
      live.remove(one)
      live.remove(one)
      #expect(live.subscription(one.id) == nil)
      #expect(live.count == ids.count - index - 1)
    }
    #expect(live.all.isEmpty)
  }

  @Test("The list retains its subscriptions until they are removed")
  func retained() {
    weak var first: TracedSubscription?
    weak var second: TracedSubscription?
    do {
      let (one, other) = (subscription(1), subscription(17))
      (first, second) = (one, other)
      live.insert(one)
      live.insert(other)
    }
    #expect(first != nil && second != nil)
    first.map { live.remove($0) }
    #expect(first == nil && second != nil)
    live.removeAll()
    #expect(second == nil && live.count == 0)
  }

  @Test("A list that is deallocated releases its subscriptions")
  func deallocated() {
    weak var known: TracedSubscription?
    do {
      let list = LiveSubscriptions()
      let made = subscription(3)
      known = made
      list.insert(made)
    }
    #expect(known == nil)
  }

  @Test("Removing all subscriptions while threads add and remove theirs leaves none")
  func threads() {
    let live = live
    let made = (0..<3).map { thread in (0..<100).map { subscription(4 * $0 + thread) } }
    let remaining = Atomic<Int>(3)
    runOnThreads(4) { thread in
      if thread == 3 {
        repeat {
          live.removeAll()
          #expect(live.all.count <= 300)
        } while remaining.load(ordering: .acquiring) > 0
        return
      }
      for subscription in made[thread] { live.insert(subscription) }
      for subscription in made[thread].reversed() {
        let found = live.subscription(subscription.id)
        #expect(found == nil || found === subscription)
        live.remove(subscription)
      }
      remaining.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    }
    #expect(live.count == 0 && live.all.isEmpty)
  }
}

extension Recorder {
  fileprivate func subscription(_ lane: String, id: Int) -> TracedSubscription {
    let site = TraceSite(lane, file: "Shop.swift", line: 1, function: "bind()")
    return TracedSubscription(recorder: self, id: id, site: SharedSite(site, type: "Int"))
  }
}
