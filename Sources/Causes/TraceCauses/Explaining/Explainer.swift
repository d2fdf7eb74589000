import HeapGraph
import ReactiveKit
import SwiftRuntime
import SystemLibrary
import TraceFormat

/// A search of the process's memory that explains why subscriptions are alive.
///
/// It can also explain why tasks and other objects are alive. For each subscription, it searches in
/// this order for
///
/// 1. a cycle through the subscription's own observer: a closure retains an object that retains the
///    disposable or the source of the same subscription;
/// 2. a holder of the disposable: an object that leads to another cycle, or to a root;
/// 3. a holder of the source, if nothing holds the disposable. In that case, nothing can dispose
///    the subscription.
///
/// The first search follows references forward and takes microseconds. The other two read all
/// memory once, for all subscriptions together.
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
    var isProbable: Bool
    /// A Boolean value that indicates whether an object holds the subscription's disposable. It is
    /// nil if unknown.
    let hasOwner: Bool?
    /// The number of bytes that were searched, or nil if time ran out first.
    let searchedBytes: Int?
    /// A Boolean value that indicates whether the code that asks has the address of the object.
    var isHeldByCaller = false
  }

  let graph: ReferenceGraph
  let objects: SignalObjects
  private let index: HolderIndex
  private let deadline: Int
  private let caller: CallingCode?
  /// The chains of all live subscriptions, for naming steps.
  let subscriptions: [UInt: SearchedSubscription]

  var heap: Heap { graph.heap }

  /// Prepares a search of the process's current memory. Returns nil if this platform doesn't allow
  /// that.
  ///
  /// - Parameters:
  ///   - subscriptions: All live subscriptions.
  ///   - callingTask: The address of the current task, or 0 if there isn't one. If it isn't nil,
  ///     the local variables of the code that asks aren't an answer.
  ///   - frame: The frame of the calling thread at which the search of its stack begins. Further
  ///     inside are remains of addresses, which would look like holders.
  ///   - deadline: The end of the search, in nanoseconds of the monotonic clock.
  init?(
    _ subscriptions: [SearchedSubscription], callingTask: UInt? = nil, frame: UInt, deadline: Int
  ) {
    guard let heap = Heap() else { return nil }
    heap.markStacks(ThreadStacks.pointers())
    let hiddenTypes = HiddenTypes(heap.map) { LogClock.monotonic() < deadline }
    heap.types.hidden = hiddenTypes.stored
    let objects = SignalObjects(heap)
    let graph = ReferenceGraph(heap, library: objects)
    let index = HolderIndex(graph, stackStart: frame)
    guard index.isReady else { return nil }
    caller = callingTask.map { CallingCode(frame: frame, task: $0, in: heap) }
    self.graph = graph
    self.objects = objects
    self.index = index
    self.deadline = deadline
    self.subscriptions = Dictionary(
      subscriptions.compactMap { $0.chain == 0 ? nil : ($0.chain, $0) }
    ) { first, _ in first }
  }

  var isInTime: Bool { LogClock.monotonic() < deadline }

  /// A subscription on the way to its answer.
  private struct Case {
    enum State {
      /// Nothing is known yet.
      case open
      /// A cycle that may not exist, or may not be the only reason. A definite path is a better
      /// answer.
      case probable(Answer)
      case answered(Answer)
    }

    let subscription: SearchedSubscription
    private(set) var state: State
    /// The search for what holds the disposable.
    private(set) var owner: HolderSearch?
    /// The search for what holds the source.
    private(set) var source: HolderSearch?
    /// Whether a search found the address in the memory of the code that asks.
    private(set) var isHeldByCaller = false

    /// Starts a case with the cycle through the subscription's own observer, if there is one.
    init(_ subscription: SearchedSubscription, cycle: Answer?, isSure: Bool) {
      self.subscription = subscription
      state = cycle.map { isSure ? .answered($0) : .probable($0) } ?? .open
    }

    var answer: Answer? {
      switch state {
      case .open: nil
      case .probable(let answer), .answered(let answer): answer
      }
    }

    var isAnswered: Bool {
      if case .answered = state { true } else { false }
    }

    /// Ends the case with an answer. Without one, the case stays as it is.
    mutating func close(_ answer: Answer?) {
      if let answer { state = .answered(answer) }
    }

    mutating func note(owner: HolderSearch?) {
      self.owner = owner
      noteCaller(owner)
    }

    mutating func noteCaller(_ search: HolderSearch?) {
      if search?.isHeldByCaller == true { isHeldByCaller = true }
    }

    mutating func note(source: HolderSearch?) { self.source = source }
  }

  /// Explains some of the subscriptions. If time runs out, the remaining ones don't have an answer.
  ///
  /// - Parameter throughUser: Whether a cycle must lead through an object of the user.
  func explain(_ wanted: [SearchedSubscription], throughUser: Bool = false) -> [Int: Answer] {
    var cases: [Case] = []
    for subscription in wanted where subscription.chain != 0 {
      guard isInTime else { return Self.answers(cases) }
      let cycle = ownCycle(of: subscription, throughUser)
      // A publisher holds an observer only until something else cancels the subscription.
      let isSure = cycle.map { cycle in
        !cycle.isProbable && !cycle.steps.contains { graph.isPublisher($0.object) }
      }
      cases.append(Case(subscription, cycle: cycle, isSure: isSure ?? false))
    }
    searchForOwners(&cases, findsClosureCycles: !throughUser)
    searchForTasks(&cases)
    searchForSources(&cases)
    for index in cases.indices where !cases[index].isAnswered {
      cases[index].close(bestGuess(cases[index]))
    }
    return Self.answers(cases)
  }

  private static func answers(_ cases: [Case]) -> [Int: Answer] {
    Dictionary(
      cases.compactMap { open in open.answer.map { (open.subscription.id, $0) } }
    ) { first, _ in first }
  }

  private func searchForOwners(_ cases: inout [Case], findsClosureCycles: Bool) {
    let owners = search(unanswered(cases), findsClosureCycles: findsClosureCycles) { $0.chain }
    for index in cases.indices {
      let owner = owners[cases[index].subscription.id]
      cases[index].note(owner: owner)
      switch cases[index].state {
      case .answered: break
      case .open where owner?.isOnlyOfPublisher == true: break
      case .open: cases[index].close(conclusion(owner, hasOwner: true))
      case .probable(var cycle):
        if owner?.ranOutOfTime == true { cycle.isProbable = true }
        let isDefinite = owner?.result?.isDefinite == true && owner?.isOnlyOfPublisher == false
        let definite = isDefinite ? owner?.result : nil
        cases[index].close(
          definite.map {
            answer($0, hasOwner: true, searchedBytes: self.index.searchedBytes)
          } ?? cycle)
      }
    }
  }

  /// Searches in the memory of Tasks. A Task retains what it waits for in memory without a
  /// description. That search guesses, so most of the time is reserved for searches that don't
  /// guess.
  private func searchForTasks(_ cases: inout [Case]) {
    let now = LogClock.monotonic()
    let tasks = search(
      unanswered(cases), guesses: true, by: now + max(0, deadline - now) / 8
    ) { $0.chain }
    for index in cases.indices where !cases[index].isAnswered {
      let search = tasks[cases[index].subscription.id]
      cases[index].noteCaller(search)
      guard case .task? = search?.result?.root else { continue }
      cases[index].close(conclusion(search, hasOwner: true))
    }
  }

  private func searchForSources(_ cases: inout [Case]) {
    let open = cases.filter { !$0.isAnswered && $0.owner?.hasHolder != true }
    let sources = search(open.map(\.subscription)) { $0.observer }
    for index in cases.indices where !cases[index].isAnswered {
      let source = sources[cases[index].subscription.id]
      cases[index].note(source: source)
      cases[index].close(conclusion(source, hasOwner: hasOwner(cases[index].owner)))
    }
  }

  private func unanswered(_ cases: [Case]) -> [SearchedSubscription] {
    cases.filter { !$0.isAnswered }.map(\.subscription)
  }

  /// Returns the answer if no search came to a conclusion: the path that was found, or nothing.
  private func bestGuess(_ open: Case) -> Answer {
    let hasOwner = hasOwner(open.owner)
    let ranOut = [open.owner, open.source].contains { $0?.ranOutOfTime == true }
    let searchedBytes = ranOut ? nil : index.searchedBytes
    guard let path = open.owner?.result ?? open.source?.result,
      !(open.subscription.subject == .object && path.isEmpty)
    else {
      return Answer(
        kind: .nothing, steps: [], isProbable: true, hasOwner: hasOwner,
        searchedBytes: searchedBytes, isHeldByCaller: open.isHeldByCaller)
    }
    return answer(path, hasOwner: hasOwner, searchedBytes: searchedBytes)
  }

  /// Returns the result of a search as an answer, or nil if it is inconclusive.
  private func conclusion(_ search: HolderSearch?, hasOwner: Bool?) -> Answer? {
    guard let path = search?.result else { return nil }
    if path.cycle == 0 {
      switch path.root {
      case .nothing, .stack, .caller: return nil
      case .variable, .waiting, .thread: break
      case .task(let task):
        if let cycle = cycle(of: task, path) { return cycle }
      }
    }
    return answer(
      path, hasOwner: hasOwner,
      searchedBytes: search?.ranOutOfTime == true ? nil : index.searchedBytes)
  }

  /// Returns whether an object holds a subscription's disposable. Returns nil if unknown: time ran
  /// out before the search was complete, or a local variable or unknown memory may hold it.
  private func hasOwner(_ search: HolderSearch?) -> Bool? {
    guard search?.hasHolder != true else { return true }
    return isInTime && search?.mayHaveHolder != true && search?.allHoldersAreKnown != false
      ? false : nil
  }

  private func answer(
    _ path: HolderSearch.Path, hasOwner: Bool?, searchedBytes: Int?
  ) -> Answer {
    Answer(
      kind: path.cycle > 0
        ? .cycle(tail: path.steps.count - path.cycle) : .path(path.root),
      steps: path.steps, isProbable: path.isProbable, hasOwner: hasOwner,
      searchedBytes: searchedBytes)
  }

  /// Returns an answer if a Task on the path is retained by something that it retains.
  private func cycle(of task: Heap.Object, _ path: HolderSearch.Path) -> Answer? {
    // The system's objects in a Task lead back to it, too. Only the user's objects count.
    var held = graph.references(from: task).filter { reference in
      heap.object(at: reference.target).map { graph.isOfUser($0) || $0.kind == .closure } ?? false
    }
    while let way = graph.path(
      from: held.map(\.target), to: [task.address], isInTime: { isInTime }),
      way.contains(where: { graph.isOfUser($0.object) }),
      let first = held.first(where: { $0.target == way[0].object.address })
    {
      // A loop that uses a weak `self` leaves remains of a reference.
      if !first.isCertain,
        let missing = index.undescribedReferences(to: way[0].object, isInTime: { isInTime }),
        missing <= index.variables(with: way[0].object.address)
      {
        held.removeAll { $0.target == first.target }
        continue
      }
      let steps = [PathStep(object: task, reference: first)] + way
      return Answer(
        kind: .cycle(tail: path.steps.count), steps: steps + path.steps, isProbable: true,
        hasOwner: true, searchedBytes: index.searchedBytes)
    }
    return nil
  }

  // MARK: Cycles through the subscription's own observer

  private func ownCycle(of subscription: SearchedSubscription, _ throughUser: Bool) -> Answer? {
    if subscription.subject == .object {
      return ownCycle(ofObject: subscription.chain, throughUser)
    }
    let chain = subscription.chain
    guard let chainObject = heap.object(at: chain) else { return nil }
    guard objects.isChain(chainObject) else { return ownCycle(ofObject: chain, throughUser) }
    let entries = ownEntries(of: chainObject)
    var starts = [
      Reference(target: subscription.observer, code: subscription.observerCode)
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

  /// Returns the shortest cycle through an object.
  private func ownCycle(ofObject address: UInt, _ throughUser: Bool) -> Answer? {
    guard let object = heap.object(at: address) else { return nil }
    let references = graph.references(from: object)
    if let own = references.first(where: { $0.target == address }) {
      return cycle([PathStep(object: object, reference: own)])
    }
    func path(throughPublishers: Bool) -> [PathStep]? {
      graph.path(
        from: references.map(\.target), to: [address],
        throughUser: throughUser && !graph.isOfUser(object), throughPublishers: throughPublishers,
        isInTime: { self.isInTime })
    }
    let steps =
      path(throughPublishers: false)
      ?? (objects.hasPublishers ? path(throughPublishers: true) : nil)
    guard let steps,
      let first = references.first(where: { $0.target == steps.first?.object.address })
    else { return nil }
    return cycle([PathStep(object: object, reference: first)] + steps)
  }

  private func cycle(_ steps: [PathStep]) -> Answer {
    Answer(
      kind: .cycle(tail: 0), steps: steps,
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
    _ subscriptions: [SearchedSubscription], guesses: Bool = false,
    findsClosureCycles: Bool = false, by end: Int = .max,
    _ target: (SearchedSubscription) -> UInt
  ) -> [Int: HolderSearch] {
    let isInTime = { LogClock.monotonic() < min(end, self.deadline) }
    var searches: [Int: HolderSearch] = [:]
    for subscription in subscriptions where target(subscription) != 0 && !subscription.hasEnded() {
      searches[subscription.id] = HolderSearch(
        graph, index, target: target(subscription), guesses: guesses,
        findsClosureCycles: findsClosureCycles, caller: caller)
    }
    while isInTime() {
      // In a busy program, many subscriptions end during a search for their holders.
      for subscription in subscriptions where subscription.hasEnded() {
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
