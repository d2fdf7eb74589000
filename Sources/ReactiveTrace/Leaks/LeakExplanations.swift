import CRuntime.OwnProcess
import ReactiveKit
import Synchronization
import SystemLibrary
import TraceFormat

/// The explanations of why subscriptions are alive, with the limits that keep them harmless.
enum LeakExplanations {
  /// The maximum number of subscriptions that one search explains.
  private static let maxCount = 1000

  /// The unused stack that a search needs, in bytes. It uses about 48 KB, and more for types with
  /// many generic arguments. With less stack than this, the code of closures wouldn't get names.
  private static let neededStack = 256 * 1024

  /// A Boolean value that indicates whether the calling thread may search. It is false in a signal
  /// handler, which may have interrupted the allocator, and in a forked child, which could wait for
  /// a lock that a thread of its parent held. Reading it allocates nothing.
  static var mayBegin: Bool {
    !ProcessHooks.isForkedChild && !Inside.isInside && StackRoom.left != nil
      && !trace_is_in_handler()
  }

  /// A Boolean value that indicates whether the calling thread has enough stack left for a search.
  static var hasStack: Bool { StackRoom.left.map { $0 > neededStack } ?? false }

  /// Explains some live subscriptions. Subscriptions that end in the meantime don't get an
  /// explanation, nor do those that remain when time runs out.
  ///
  /// - Parameter limit: The time that the search may take, in nanoseconds.
  static func explain(
    _ wanted: [TracedSubscription], limit: Int
  ) -> [ObjectIdentifier: Retention] {
    guard !wanted.isEmpty, limit > 0, mayBegin, hasStack else { return [:] }
    // The rest of the time is reserved for looking up names.
    let deadline = LogClock.monotonic() + limit - limit / 10
    var explanations: [ObjectIdentifier: Retention] = [:]
    // The log and a leak check may each have some of the subscriptions.
    for (_, group) in Dictionary(grouping: wanted, by: { ObjectIdentifier($0.recorder) }) {
      guard let recorder = group.first?.recorder else { continue }
      let chosen = Array(representativesFirst(group).prefix(maxCount))
      explanations.merge(explain(chosen, in: recorder, by: deadline)) { first, _ in first }
    }
    return explanations
  }

  private static func explain(
    _ wanted: [TracedSubscription], in recorder: Recorder, by deadline: Int
  ) -> [ObjectIdentifier: Retention] {
    let search = Causes.search
    let limit: Retention.Limit = search == nil ? .trait : .platform
    let found = search?.explain(
      wanted.map { SearchedSubscription($0) },
      among: recorder.liveSubscriptions.all.map { SearchedSubscription($0) },
      frame: UInt(bitPattern: trace_frame_address()), by: deadline,
      { recorder.locations.functions(at: $0) })
    var explanations: [ObjectIdentifier: Retention] = [:]
    for subscription in wanted {
      var retention =
        found.map { $0[subscription.id] } ?? Retention(kind: .unsupported, limit: limit)
      retention?.library = subscription.site.library
      explanations[ObjectIdentifier(subscription)] = retention
    }
    return explanations
  }

  /// Explains some live subscriptions like `explain`, and writes the explanations to their logs.
  static func record(
    _ wanted: [TracedSubscription], limit: Int
  ) -> [ObjectIdentifier: Retention] {
    let explanations = explain(wanted, limit: limit)
    for subscription in wanted {
      if let explanation = explanations[ObjectIdentifier(subscription)] {
        subscription.write(explanation)
      }
    }
    return explanations
  }

  /// Sorts one subscription of each lane and place before the others, so that each kind of mistake
  /// is explained before time runs out.
  private static func representativesFirst(
    _ subscriptions: [TracedSubscription]
  ) -> [TracedSubscription] {
    struct Origin: Hashable {
      let lane: String
      let observed: PlaceNumber?
    }
    var seen: [Origin: Int] = [:]
    var ranks: [[TracedSubscription]] = []
    for subscription in subscriptions {
      let origin = Origin(lane: subscription.site.lane, observed: subscription.observed)
      let rank = seen[origin, default: 0]
      seen[origin] = rank + 1
      if rank == ranks.count { ranks.append([]) }
      ranks[rank].append(subscription)
    }
    return ranks.flatMap(\.self)
  }
}

extension SearchedSubscription {
  init(_ subscription: TracedSubscription) {
    let site = subscription.site
    self.init(
      id: subscription.id, lane: site.lane,
      location: site.operator == .observe
        ? site.place.map { place in
          { @Sendable in subscription.recorder.locations.nameOrOffset(of: place) }
        } : nil,
      chain: subscription.chainAddress, observer: subscription.observerAddress,
      observerCode: subscription.observerCode, hasEnded: { subscription.hasEnded })
  }
}

extension Recorder {
  /// Writes why subscriptions that should have ended are alive, and which tasks haven't ended.
  /// Called before the log ends. Only the first call writes anything. If another thread is writing,
  /// the call waits for it.
  ///
  /// Call this only if `LeakExplanations.mayBegin` is true.
  func explainLeaks() {
    let limit = EnvironmentSettings.explanationLimit
    guard limit > 0, isOpen, writer != nil || sinks != nil else { return }
    guard beginExplaining() else { return waitForExplanations(limit) }
    defer { endExplaining() }
    recordTasks(limit: limit, hasStack: LeakExplanations.hasStack)
    if liveSubscriptions.count > 0 { explainLiveSubscriptions(limit: limit) }
  }

  private func explainLiveSubscriptions(limit: Int) {
    // A search needs a few hundred bytes for each subscription.
    let (count, size, minimum) = (liveSubscriptions.count, 512, 8 << 20)
    guard MemoryReserve.hasRoom(for: minimum + count * size) else {
      return Diagnostics.warnInPlace(
        """
        ReactiveTrace: the log does not say why subscriptions are still alive: the process has no \
        memory left.

        """)
    }
    let neededMemory = Causes.search?.neededMemory ?? 0
    let hasMemory = MemoryReserve.hasRoom(for: neededMemory + count * size)
    let leaks = LeakVerdict(liveSubscriptions.all).roots().map(\.root)
    guard !leaks.isEmpty else { return }
    let subscriptions = leaks.count == 1 ? "1 subscription is" : "\(leaks.count) subscriptions are"
    guard LeakExplanations.hasStack else {
      return Diagnostics.warn(
        "the log does not say why \(subscriptions) still alive: the stack of the thread that ends "
          + "the log is too small to find out.")
    }
    guard hasMemory else {
      for leak in leaks { leak.write(Retention(kind: .unsupported, limit: .memory)) }
      return Diagnostics.warn(
        "the log does not say why \(subscriptions) still alive: the process has too little memory "
          + "left to find out.")
    }
    _ = LeakExplanations.record(leaks, limit: limit)
  }

  /// Waits for the explaining thread. Otherwise, a process that exits in the meantime would end the
  /// log without the explanations. If they take too long, the log says that its tasks aren't known.
  private func waitForExplanations(_ limit: Int) {
    let deadline = LogClock.monotonic() + limit + LogFile.patience
    while isExplainedElsewhere, LogClock.monotonic() < deadline {
      LogClock.pause(.milliseconds(1))
    }
    if isExplainedElsewhere, firstTask != nil { taskLimit.store(.time, ordering: .relaxed) }
  }
}
