import ProcessMemory

/// A search for what keeps one object alive. It goes from the object to its holders, their holders
/// and so on, until it reaches a root or returns to an object on its path.
///
/// The search proceeds level by level, so that the searches for many objects share each pass over
/// the memory.
package final class HolderSearch {
  /// The root where a search ends.
  package enum Root {
    case variable(UInt)
    case stack(UInt)
    /// A local variable of the code that asks, or of one of its callers.
    case caller
    case task(Heap.Object)
    /// An object that retains itself while it waits: a queue or group with work, a source that
    /// calls a block later, or a Foundation timer.
    case waiting(Heap.Object)
    /// A thread-specific value.
    case thread
    /// Memory whose own holder wasn't found.
    case nothing
  }

  /// A path from a root to the object.
  package struct Path {
    package let root: Root
    /// The steps from the root to the object.
    package let steps: [PathStep]
    /// The number of steps at the start that form a cycle, or 0.
    package var cycle = 0
    /// A Boolean value that indicates whether the path leads through memory without a description.
    package var isProbable = false

    /// A Boolean value that indicates whether the path is a cycle or starts at a variable, and all
    /// of its references are described.
    package var isDefinite: Bool {
      guard !isProbable else { return false }
      if case .variable = root { return true }
      return cycle > 0
    }

    /// A Boolean value that indicates whether only memory without a description was found.
    package var isEmpty: Bool {
      if case .nothing = root { steps.isEmpty } else { false }
    }
  }

  /// An object or a block on the path, with the step that leads back toward the target.
  private struct Node {
    let address: UInt
    /// Nil for a block of memory that isn't an object.
    let object: Heap.Object?
    /// The reference from this node to the next one on the path to the target.
    let reference: Reference?
    /// The index of the next node on the path to the target. Nil for the target itself.
    let next: Int?
  }

  /// A reference between two nodes that are both already known.
  private struct OtherWay {
    let holder: Int
    let held: Int
    let reference: Reference
  }

  private let graph: ReferenceGraph
  private let index: HolderIndex
  private let target: UInt
  private var nodes: [Node] = []
  private var numbers: [UInt: Int] = [:]
  /// The nodes whose holders the next step examines.
  private var frontier: [Int] = []
  /// The first cycle through memory that isn't described. A definite path from a root is a better
  /// result.
  private var probableCycle: Path?
  /// The first cycle of only closures and captured variables. The names of the closures later show
  /// whether it is the user's.
  private var closureCycle: Path?
  /// The first path from a local variable, which counts only if there isn't another root.
  private var weakest: (path: Path, isThroughUser: Bool)?
  /// The first path from something that retains itself while it waits. It counts only if there
  /// isn't a cycle or a variable, because the wait can end by itself.
  private var waiting: (path: Path, level: Int)?
  /// The number of levels after that path in which the search still looks for a cycle or a
  /// variable. A source can be that far from its owner, if the owner has several sources.
  private static let levelsAfterWaiting = 6
  package private(set) var result: Path?
  private(set) var isOver = false
  /// A Boolean value that indicates whether time ran out before the search was over.
  package private(set) var ranOutOfTime = false
  /// A Boolean value that indicates whether something holds the target itself.
  package private(set) var hasHolder = false
  /// A Boolean value that indicates whether the code that asks has the address of the target. It
  /// can be a reference, or the remains of one.
  package private(set) var isHeldByCaller = false
  /// A Boolean value that indicates whether all references to the target are known, or nil if its
  /// count of references is unknown.
  package private(set) var allHoldersAreKnown: Bool?
  /// A Boolean value that indicates whether the address of the target is on a stack, in a
  /// thread-specific value or in unknown memory. It can be a reference, or the remains of one.
  package private(set) var mayHaveHolder = false
  /// The references that aren't on the first path found from their holder to the target.
  private var others: [OtherWay] = []
  private static let maxOtherWays = 64
  private static let maxNodes = 4096
  private static let maxLevels = 64
  /// The maximum number of levels and nodes of a search that guesses.
  private static let maxGuesses = (levels: 12, nodes: 512)
  private var level = 0
  /// The entries in tables of subjects whose subjects are examined only if the search has nothing
  /// else to follow.
  private var delayed: [Int] = []
  /// The publishers of other libraries, and the level at which the first one was found. Their
  /// holders are examined only then, too, or if none of the next levels has a handle.
  private var publishers: (nodes: [Int], level: Int) = ([], 0)
  private static let levelsAfterPublisher = 8
  /// Whether an object holds the target that would end it.
  private var hasHandle = false
  /// A Boolean value that indicates whether only a publisher was found to hold the target, although
  /// something unknown has an object that would end it.
  package private(set) var isOnlyOfPublisher = false

  /// A Boolean value that indicates whether memory without a description counts as a holder. If
  /// true, only a Task counts as a root, because most such memory is stale or belongs to the
  /// system.
  private let guesses: Bool

  /// A Boolean value that indicates whether a cycle of only closures and captured variables counts.
  private let findsClosureCycles: Bool

  /// The code that asks, or nil if its memory counts like that of other code.
  private let caller: CallingCode?

  package init(
    _ graph: ReferenceGraph, _ index: HolderIndex, target: UInt, guesses: Bool = false,
    findsClosureCycles: Bool = false, caller: CallingCode? = nil
  ) {
    self.caller = caller
    self.guesses = guesses
    self.findsClosureCycles = findsClosureCycles
    self.graph = graph
    self.index = index
    self.target = target
    nodes = [
      Node(address: target, object: graph.heap.object(at: target), reference: nil, next: nil)
    ]
    numbers[target] = 0
    frontier = [0]
  }

  /// The addresses whose holders the next step needs.
  package var wanted: [UInt] { isOver ? [] : frontier.map { nodes[$0].address } }

  /// Advances by one level, with the holders that the index has found.
  package func advance() {
    guard !isOver else { return }
    level += 1
    let current = frontier
    frontier = []
    follow(current, isLast: false)
    if isOver { return }
    if frontier.isEmpty, !delayed.isEmpty {
      let late = delayed
      delayed = []
      follow(late, isLast: true)
      if isOver { return }
    }
    let isHeld = hasHandle && (waiting != nil || weakest != nil)
    let isLate = !hasHandle && level >= publishers.level + Self.levelsAfterPublisher
    if frontier.isEmpty || isLate, !publishers.nodes.isEmpty, !isHeld {
      isOnlyOfPublisher = hasHandle
      frontier += publishers.nodes
      publishers.nodes = []
    }
    let most = guesses ? Self.maxGuesses : (levels: Self.maxLevels, nodes: Self.maxNodes)
    if let waiting, level >= waiting.level + Self.levelsAfterWaiting { return finish() }
    if frontier.isEmpty || level >= most.levels || nodes.count >= most.nodes { finish() }
  }

  private func follow(_ current: [Int], isLast: Bool) {
    for number in current {
      if let entry = nodes[number].object, let chain = graph.holder(ofRegistered: entry) {
        // The subject holds the entry, too, but the chain shows what could end it.
        add(.object(chain, Reference(target: entry.address)), to: number)
        if result != nil { return finish() }
        if !isLast {
          delayed.append(number)
          continue
        }
      }
      let registries = nodes[number].object.map(graph.registries) ?? []
      for (registry, reference) in registries {
        add(.object(registry, reference), to: number)
        if result != nil { return finish() }
      }
      let address = nodes[number].address
      // Other places have only the remains of references.
      let missing = nodes[number].object
        .flatMap { index.undescribedReferences(to: $0, isInTime: { true }) }
        .map { $0 - registries.count }
      let areAllDescribed = missing.map { $0 <= 0 } ?? false
      // Those on stacks can be these references, so that a Task isn't known to have one.
      let stacks = index.stacks(with: address)
      let areAllLocal = missing.map { $0 <= stacks } ?? (stacks > 0)
      if number == 0 { allHoldersAreKnown = missing.map { $0 <= 0 } }
      for holder in index.holders(of: address) {
        if areAllDescribed, holder.isUndescribed { continue }
        if areAllLocal, holder.isTask || guesses && holder.isUndescribed { continue }
        add(holder, to: number)
        if result != nil { return finish() }
      }
    }
  }

  private func finish() {
    isOver = true
    if result == nil {
      result = probableCycle ?? cycleOverSeveralWays() ?? closureCycle
      // A probable cycle is a worse result than something that certainly waits.
      if result?.isProbable == true, let waiting, !waiting.path.isProbable {
        result = waiting.path
      }
    }
    if result == nil { result = waiting?.path ?? unfollowedBlock() ?? weakest?.path }
    if result == nil, nodes.count > 1 {
      // The farthest holder is the most useful part of a result.
      result = path(from: nodes.count - 1, .nothing)
    }
    frontier = []
  }

  /// Returns the path from a block, if the layout of libdispatch's objects is unknown. Most blocks
  /// wait in libdispatch.
  private func unfollowedBlock() -> Path? {
    guard graph.heap.dispatch == nil, !guesses,
      let number = nodes.indices.last(where: { nodes[$0].object?.kind == .block }),
      let block = nodes[number].object
    else { return nil }
    return path(from: number, .waiting(block), isProbable: true)
  }

  /// Ends the search when time runs out.
  package func stop() {
    guard !isOver else { return }
    ranOutOfTime = true
    finish()
  }

  private func add(_ holder: HolderIndex.Holder, to number: Int) {
    switch holder {
    case .variable(let address):
      // libdispatch's variables reference its sources and timers, but these end when their owners
      // do.
      guard let object = nodes[number].object, !guesses, !graph.isBookkeeping(object),
        !object.isPartOfDispatch
      else { return }
      if number == 0 { hasHolder = true }
      result = path(from: number, .variable(address))
    case .stack(let address):
      // The stacks of libdispatch's threads still contain items and sources that have ended.
      guard let object = nodes[number].object, !object.isPartOfDispatch else { return }
      if number == 0 { mayHaveHolder = true }
      if caller?.hasOnStack(address) == true { return addCaller(to: number) }
      addLocalVariable(.stack(address), to: number)
    case .thread:
      guard let object = nodes[number].object, !guesses, !object.isPartOfDispatch else { return }
      if number == 0 { mayHaveHolder = true }
      noteWaiting(path(from: number, .thread))
    case .unknown:
      if number == 0 { mayHaveHolder = true }
    case .block(let range) where caller?.hasInTask(range) == true: addCaller(to: number)
    case .block(let range):
      // A table that an object manages by hand is held by the object itself.
      guard numbers[range.lowerBound] == nil, guesses || nodes[number].object != nil else { return }
      append(Node(address: range.lowerBound, object: nil, reference: nil, next: number))
    case .pointer(let object):
      // The place is in a table that an object manages by hand. The object's references include
      // those in the table.
      guard nodes[number].object == nil, let next = nodes[number].next,
        let reference = graph.references(from: object).first(where: {
          $0.target == nodes[next].address
        })
      else { return }
      add(.object(object, reference), to: next)
    case .object(let object, let reference):
      // A block that has become an object in the meantime belongs to the search itself.
      guard nodes[number].object != nil || guesses else { return }
      if caller?.isTask(object) == true { return addCaller(to: number) }
      if number == 0 { hasHolder = true }
      if let known = numbers[object.address] {
        closeCycle(at: known, from: number, object, reference)
        return
      }
      append(Node(address: object.address, object: object, reference: reference, next: number))
      if object.kind == .task {
        let path = path(from: nodes.count - 1, .task(object), isProbable: true)
        if guesses { result = path } else { noteWaiting(path) }
      } else if !guesses, graph.holdsItself(object, to: nodes[number].object) {
        noteWaiting(path(from: nodes.count - 1, .waiting(object)))
      }
    }
  }

  /// Stores the path from something that waits, if it is the best one so far.
  private func noteWaiting(_ path: Path) {
    guard let known = waiting else { return waiting = (path, level) }
    if known.path.isProbable, !path.isProbable { waiting = (path, known.level) }
  }

  /// Stores that the code that asks has a node.
  private func addCaller(to number: Int) {
    guard number > 0 else {
      isHeldByCaller = true
      return
    }
    addLocalVariable(.caller, to: number)
  }

  /// Stores the path from a local variable, if it is the best one so far.
  private func addLocalVariable(_ root: Root, to number: Int) {
    // A thread in the user's code has pointers to parts of the subscription, too.
    guard weakest?.isThroughUser != true else { return }
    let isThroughUser = leadsThroughUser(number)
    guard weakest == nil || isThroughUser else { return }
    weakest = (path(from: number, root, isProbable: true), isThroughUser)
  }

  /// Reports whether the path from a node to the target leads through an object of the user. The
  /// target itself doesn't count.
  private func leadsThroughUser(_ number: Int) -> Bool {
    var next: Int? = number
    while let at = next, nodes[at].next != nil {
      if let object = nodes[at].object, graph.isOfUser(object) { return true }
      next = nodes[at].next
    }
    return false
  }

  private func append(_ node: Node) {
    guard nodes.count < Self.maxNodes else { return }
    numbers[node.address] = nodes.count
    // Holders aren't followed of the system's own queues, which don't end, and of tasks, which end
    // whatever holds them.
    let isEnd = node.object.map {
      $0.kind == .task || $0.isPartOfDispatch && graph.heap.isVariable($0)
    }
    if isEnd != true {
      if node.object.map(graph.isPublisher) == true {
        if publishers.nodes.isEmpty { publishers.level = level }
        publishers.nodes.append(nodes.count)
      } else {
        frontier.append(nodes.count)
      }
    }
    if !hasHandle, let object = node.object { hasHandle = graph.isHandle(object) }
    nodes.append(node)
  }

  /// Stores a cycle if the known node is on the path from the other node to the target.
  private func closeCycle(
    at known: Int, from number: Int, _ object: Heap.Object, _ reference: Reference
  ) {
    var way: [Int] = []
    var next: Int? = number
    while let at = next {
      way.append(at)
      if at == known { break }
      next = nodes[at].next
    }
    guard way.last == known, result == nil, probableCycle == nil else {
      others.append(OtherWay(holder: known, held: number, reference: reference))
      return
    }
    // The library's timers retain themselves while they run, which isn't a user error.
    let objects = [object] + way.dropLast().compactMap { nodes[$0].object }
    let isOfUser = graph.isOfUser(objects)
    guard isOfUser || (findsClosureCycles && closureCycle == nil) else { return }
    // The cycle goes from the known node along the new reference and then along the path back to
    // it.
    var steps = [PathStep(object: object, reference: reference)]
    var isProbable = !reference.isCertain
    for at in way.dropLast() { appendStep(nodes[at], &steps, &isProbable) }
    let cycle = steps.count
    next = known
    while let at = next, nodes[at].next != nil {
      appendStep(nodes[at], &steps, &isProbable)
      next = nodes[at].next
    }
    let path = Path(root: .nothing, steps: steps, cycle: cycle, isProbable: isProbable)
    if !isOfUser {
      if objects.contains(where: { $0.kind == .closure }), !isProbable { closureCycle = path }
    } else if isProbable {
      probableCycle = path
    } else {
      result = path
    }
  }

  /// Returns a cycle that isn't on a single path to the target, because its objects retain several
  /// others that lead there. Prefers a cycle near the target.
  private func cycleOverSeveralWays() -> Path? {
    var held: [Int: [(node: Int, reference: Reference?)]] = [:]
    for (number, node) in nodes.enumerated() {
      if let next = node.next { held[number, default: []].append((next, node.reference)) }
    }
    for other in others {
      held[other.holder, default: []].append((other.held, other.reference))
    }
    let nearest = others.sorted { ($0.held, $0.holder) < ($1.held, $1.holder) }
    for last in nearest.prefix(Self.maxOtherWays) {
      var before: [Int: (node: Int, reference: Reference?)] = [:]
      var queue = [last.held]
      var next = 0
      while next < queue.count, before[last.holder] == nil {
        let at = queue[next]
        next += 1
        for (node, reference) in held[at] ?? [] where node != last.held && before[node] == nil {
          before[node] = (at, reference)
          queue.append(node)
        }
      }
      guard last.holder == last.held || before[last.holder] != nil else { continue }
      var edges = [(node: last.holder, reference: Optional(last.reference))]
      while edges[0].node != last.held, let step = before[edges[0].node] {
        edges.insert(step, at: 0)
      }
      guard graph.isOfUser(edges.compactMap { nodes[$0.node].object }),
        let start = edges.indices.min(by: { edges[$0].node < edges[$1].node })
      else { continue }
      return path(along: edges[start...] + edges[..<start])
    }
    return nil
  }

  /// Returns the path along the nodes of a cycle, each with its reference to the next one. The
  /// first node leads to the target.
  private func path(along edges: ArraySlice<(node: Int, reference: Reference?)>) -> Path {
    var steps: [PathStep] = []
    var isProbable = false
    for edge in edges {
      let node = nodes[edge.node]
      appendStep(
        Node(address: node.address, object: node.object, reference: edge.reference, next: nil),
        &steps, &isProbable)
    }
    let cycle = steps.count
    var next = edges.first?.node
    while let at = next, nodes[at].next != nil {
      appendStep(nodes[at], &steps, &isProbable)
      next = nodes[at].next
    }
    return Path(root: .nothing, steps: steps, cycle: cycle, isProbable: isProbable)
  }

  private func appendStep(_ node: Node, _ steps: inout [PathStep], _ isProbable: inout Bool) {
    guard let object = node.object, let reference = node.reference else {
      isProbable = true
      return
    }
    if !reference.isCertain { isProbable = true }
    steps.append(PathStep(object: object, reference: reference))
  }

  private func path(from number: Int, _ root: Root, isProbable: Bool = false) -> Path {
    var steps: [PathStep] = []
    var isProbable = isProbable
    var next: Int? = number
    while let at = next, nodes[at].next != nil {
      appendStep(nodes[at], &steps, &isProbable)
      next = nodes[at].next
    }
    return Path(root: root, steps: steps, isProbable: isProbable)
  }
}
