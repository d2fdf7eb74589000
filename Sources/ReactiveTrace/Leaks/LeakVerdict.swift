import SystemLibrary
import TraceFormat

/// The verdict about live subscriptions: which of them leak, and which of these are consequences of
/// others. It is the same as the verdict of `trace-viewer check`.
struct LeakVerdict {
  /// A leak, and the subscriptions that leak only because of it.
  struct Leak {
    let root: TracedSubscription
    let consequences: [TracedSubscription]
  }

  /// The checked subscriptions, followed by those that they were made for.
  private let all: [TracedSubscription]
  private let indices: [ObjectIdentifier: Int]
  /// The indices of the checked subscriptions that leak.
  private let leaking: [Int]

  init(_ subscriptions: [TracedSubscription]) {
    var all = subscriptions
    var indices = Dictionary(
      all.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
    var next = 0
    while next < all.count {
      if let parent = all[next].parent, indices[ObjectIdentifier(parent)] == nil {
        indices[ObjectIdentifier(parent)] = all.count
        all.append(parent)
      }
      next += 1
    }
    let parents = all.map { $0.parent.flatMap { indices[ObjectIdentifier($0)] } }
    let mayLive = InheritedLifetime.marks(all.count) {
      parents[$0]
    } declares: {
      all[$0].livesUntilExit
    }
    self.all = all
    self.indices = indices
    // Other rules decide whether a task should have ended.
    leaking = subscriptions.indices.filter {
      !mayLive[$0] && !all[$0].hasEnded && all[$0].site.operator != .task
    }
  }

  /// The checked subscriptions that leak, in the given order.
  var leaks: [TracedSubscription] { leaking.map { all[$0] } }

  /// Divides the leaks into roots and consequences.
  ///
  /// - Parameter retentions: What keeps some of the subscriptions alive.
  func roots(_ retentions: [ObjectIdentifier: Retention] = [:]) -> [Leak] {
    LeakRoots.of(leaking, in: Facts(all: all, indices: indices, retentions: retentions)).map {
      Leak(root: all[$0.root], consequences: $0.consequences.map { all[$0] })
    }
  }

  private struct Facts: LeakFacts {
    let all: [TracedSubscription]
    let indices: [ObjectIdentifier: Int]
    let retentions: [ObjectIdentifier: Retention]

    var count: Int { all.count }
    var hasRetentions: Bool { !retentions.isEmpty }

    func parent(of index: Int) -> Int? {
      all[index].parent.flatMap { indices[ObjectIdentifier($0)] }
    }

    func retention(of index: Int) -> Retention? { retentions[ObjectIdentifier(all[index])] }

    func index(of id: SubscriptionID, inLogOf index: Int) -> Int? {
      let recorder = all[index].recorder
      return all.firstIndex { UInt64($0.id) == id.number && $0.recorder === recorder }
    }

    func log(of index: Int) -> Int { all[index].recorder.number }

    func observedSource(of index: Int) -> String? {
      let subscription = all[index]
      return subscription.observed
        .flatMap { subscription.recorder.locations.codeLocation(of: $0) }?.source
    }
  }
}

extension LeakCheck {
  /// The verdict about the subscriptions that the check covers.
  var verdict: LeakVerdict {
    LeakVerdict(scope == .body ? mine : (mine + elsewhere).sorted { $0.id < $1.id })
  }

  /// The leaks that code outside any check has made since this check began, unless the check covers
  /// them.
  var others: [TracedSubscription] { scope == .body ? LeakVerdict(elsewhere).leaks : [] }
}
