import HeapGraph
import HostSafety
import ReactiveKit
import SwiftRuntime
import TraceShims

/// A search of the process's memory that explains why subscriptions are alive.
///
/// For each subscription, it searches in this order for
///
/// 1. a cycle through the subscription's own observer: a closure retains an object that retains the
///    disposable or the source of the same subscription;
/// 2. a holder of the disposable: an object that leads to another cycle, or to a root;
/// 3. a holder of the source, if nothing holds the disposable. In that case, nothing can dispose
///    the subscription.
///
/// The first search follows references forward and takes microseconds. The other two read all
/// memory once for each step, for all subscriptions together.
final class Explainer {
  /// An answer for one subscription.
  struct Answer {
    enum Kind {
      /// The steps form a cycle, and the last `tail` of them lead from it to the subscription.
      case cycle(tail: Int)
      case path(HolderSearch.Root)
      case nothing
    }

    let kind: Kind
    let steps: [PathStep]
    /// The code of the closure whose context the first step is, or 0.
    var startCode: UInt = 0
    let isProbable: Bool
    /// A Boolean value that indicates whether an object holds the subscription's disposable. It is
    /// nil if unknown.
    let hasOwner: Bool?
    let searchedBytes: Int
  }

  let graph: ReferenceGraph
  let objects: SignalObjects
  private let index: HolderIndex
  private let deadline: Int
  /// The chains of all live subscriptions, for naming steps.
  let subscriptions: [UInt: TracedSubscription]

  var heap: Heap { graph.heap }

  /// Prepares a search of the process's current memory. Returns nil if this platform doesn't allow
  /// that.
  ///
  /// - Parameters:
  ///   - subscriptions: All live subscriptions.
  ///   - deadline: The end of the search, in nanoseconds of the monotonic clock.
  init?(_ subscriptions: [TracedSubscription], deadline: Int) {
    guard let heap = Heap() else { return nil }
    heap.markStacks(ThreadStacks.pointers())
    let hiddenTypes = HiddenTypes(heap.map) { LogClock.monotonic() < deadline }
    heap.types.hidden = hiddenTypes.stored
    let objects = SignalObjects(heap)
    let graph = ReferenceGraph(heap, library: objects)
    let index = HolderIndex(graph, stackStart: UInt(bitPattern: trace_frame_address()))
    guard index.isReady else { return nil }
    self.graph = graph
    self.objects = objects
    self.index = index
    self.deadline = deadline
    self.subscriptions = Dictionary(
      subscriptions.compactMap { $0.chainAddress == 0 ? nil : ($0.chainAddress, $0) }
    ) { first, _ in first }
  }

  var isInTime: Bool { LogClock.monotonic() < deadline }

  /// Explains some of the subscriptions. If time runs out, the remaining ones don't have an answer.
  ///
  /// - Parameter throughUser: Whether a cycle must lead through an object of the user.
  func explain(_ wanted: [TracedSubscription], throughUser: Bool = false) -> [Int: Answer] {
    var answers: [Int: Answer] = [:]
    var open: [TracedSubscription] = []
    for subscription in wanted where subscription.chainAddress != 0 {
      guard isInTime else { return answers }
      let cycle = ownCycle(of: subscription, throughUser)
      answers[subscription.id] = cycle
      if cycle?.isProbable ?? true { open.append(subscription) }
    }
    let owners = search(open, findsClosureCycles: !throughUser) { $0.chainAddress }
    open.removeAll { subscription in
      // A definite path is a better answer than a probable cycle.
      guard answers[subscription.id] != nil else { return false }
      if let path = owners[subscription.id]?.result, path.isDefinite {
        answers[subscription.id] = answer(path, hasOwner: true)
      }
      return true
    }
    open.removeAll { take(owners[$0.id], hasOwner: true, for: $0, &answers) }
    // A Task retains what it waits for in memory without a description. That search guesses, so
    // most of the time is reserved for the searches that don't.
    let now = LogClock.monotonic()
    let tasks = search(open, guesses: true, by: now + max(0, deadline - now) / 8) {
      $0.chainAddress
    }
    open.removeAll { subscription in
      guard let search = tasks[subscription.id], case .task? = search.result?.root else {
        return false
      }
      return take(search, hasOwner: true, for: subscription, &answers)
    }
    let sources = search(open.filter { owners[$0.id]?.hasHolder != true }) { $0.observerAddress }
    open.removeAll { take(sources[$0.id], hasOwner: hasOwner(owners[$0.id]), for: $0, &answers) }
    for subscription in open {
      let owner = owners[subscription.id]
      guard
        let best = [owner?.result, sources[subscription.id]?.result].lazy.compactMap(\.self).first
      else {
        answers[subscription.id] = Answer(
          kind: .nothing, steps: [], isProbable: true, hasOwner: hasOwner(owner),
          searchedBytes: index.searchedBytes)
        continue
      }
      answers[subscription.id] = answer(best, hasOwner: hasOwner(owner))
    }
    return answers
  }

  /// Stores the result of a search as an answer, unless it is inconclusive. Returns whether it was
  /// stored.
  private func take(
    _ search: HolderSearch?, hasOwner: Bool?, for subscription: TracedSubscription,
    _ answers: inout [Int: Answer]
  ) -> Bool {
    guard let path = search?.result else { return false }
    if path.cycle == 0 {
      switch path.root {
      case .nothing, .stack: return false
      case .variable, .waiting, .thread: break
      case .task(let task):
        answers[subscription.id] = cycle(of: task, path) ?? answer(path, hasOwner: hasOwner)
        return true
      }
    }
    answers[subscription.id] = answer(path, hasOwner: hasOwner)
    return true
  }

  /// Returns whether an object holds a subscription's disposable. Returns nil if unknown: time ran
  /// out before the search was complete, or a local variable or unknown memory may hold it.
  private func hasOwner(_ search: HolderSearch?) -> Bool? {
    guard search?.hasHolder != true else { return true }
    return isInTime && search?.mayHaveHolder != true ? false : nil
  }

  private func answer(_ path: HolderSearch.Path, hasOwner: Bool?) -> Answer {
    if path.cycle > 0 {
      return Answer(
        kind: .cycle(tail: path.steps.count - path.cycle), steps: path.steps,
        isProbable: path.isProbable, hasOwner: hasOwner, searchedBytes: index.searchedBytes)
    }
    return Answer(
      kind: .path(path.root), steps: path.steps, isProbable: path.isProbable, hasOwner: hasOwner,
      searchedBytes: index.searchedBytes)
  }

  /// Returns an answer if a Task on the path is retained by something that it retains.
  private func cycle(of task: Heap.Object, _ path: HolderSearch.Path) -> Answer? {
    // The system's objects in a Task lead back to it, too. Only the user's objects count.
    let held = graph.references(from: task).filter { reference in
      heap.object(at: reference.target).map { graph.isOfUser($0) || $0.kind == .closure } ?? false
    }
    let way = graph.path(from: held.map(\.target), to: [task.address]) { self.isInTime }
    guard let way, way.contains(where: { graph.isOfUser($0.object) }),
      let first = held.first(where: { $0.target == way[0].object.address })
    else { return nil }
    let steps = [PathStep(object: task, reference: first)] + way
    return Answer(
      kind: .cycle(tail: path.steps.count), steps: steps + path.steps, isProbable: true,
      hasOwner: true, searchedBytes: index.searchedBytes)
  }

  // MARK: Cycles through the own observer

  private func ownCycle(of subscription: TracedSubscription, _ throughUser: Bool) -> Answer? {
    let chain = subscription.chainAddress
    guard let chainObject = heap.object(at: chain), objects.isChain(chainObject) else { return nil }
    let entries = ownEntries(of: chainObject)
    var starts = [
      Reference(target: subscription.observerAddress, code: subscription.observerCode)
    ]
    for entry in entries {
      guard let object = heap.object(at: entry) else { continue }
      starts += graph.references(from: object)
    }
    guard
      let steps = graph.path(
        from: starts.map(\.target), to: Set(entries + [chain]), throughUser: throughUser,
        isInTime: { self.isInTime })
    else { return nil }
    let start = starts.first { $0.target == steps.first?.object.address }
    return Answer(
      kind: .cycle(tail: 0), steps: steps, startCode: start?.code ?? 0,
      isProbable: steps.contains { !$0.reference.isCertain }, hasOwner: nil, searchedBytes: 0)
  }

  /// Returns the entries of a chain, and of the chains that it made for its parts, in the tables of
  /// subjects.
  private func ownEntries(of chain: Heap.Object) -> [UInt] {
    var entries: [UInt] = []
    var seen: Set<UInt> = [chain.address]
    var queue = [chain]
    while let object = queue.popLast(), seen.count < 1024 {
      for reference in graph.references(from: object) where seen.insert(reference.target).inserted {
        guard let target = heap.object(at: reference.target) else { continue }
        switch objects.role(of: target) {
        case .entry: entries.append(target.address)
        case .chain, .upstream: queue.append(target)
        default:
          // The storage of a list of attachments.
          if object.kind != .array, target.kind == .array { queue.append(target) }
        }
      }
    }
    return entries
  }

  // MARK: Holders

  private func search(
    _ subscriptions: [TracedSubscription], guesses: Bool = false,
    findsClosureCycles: Bool = false, by end: Int = .max,
    _ target: (TracedSubscription) -> UInt
  ) -> [Int: HolderSearch] {
    let isInTime = { LogClock.monotonic() < min(end, self.deadline) }
    var searches: [Int: HolderSearch] = [:]
    for subscription in subscriptions where target(subscription) != 0 && !subscription.hasEnded {
      searches[subscription.id] = HolderSearch(
        graph, index, target: target(subscription), guesses: guesses,
        findsClosureCycles: findsClosureCycles)
    }
    while isInTime() {
      // In a busy program, many subscriptions end during a search for their holders.
      for subscription in subscriptions where subscription.hasEnded {
        searches[subscription.id] = nil
      }
      let wanted = Set(searches.values.flatMap(\.wanted))
      guard !wanted.isEmpty, index.find(wanted, isInTime: isInTime) else { break }
      for search in searches.values { search.advance() }
    }
    for search in searches.values { search.stop() }
    return searches
  }
}
