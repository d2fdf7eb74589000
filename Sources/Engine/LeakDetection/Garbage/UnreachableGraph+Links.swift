import HeapGraph
import ProcessMemory

/// The cycle that represents a component of connected cycles.
extension UnreachableGraph {
  /// A reference on a cycle.
  struct Link {
    let node: Int
    let edge: Edge
    /// The address of the code, if the node is what a closure captures.
    let code: UInt
  }

  /// Returns the cycle of a component whose code users know best.
  ///
  /// It goes through their objects or through what their closures capture. Of several cycles, it is
  /// the one with the fewest references of other packages, and of these the shortest one. The
  /// addresses of objects change from run to run, and so does the order of elements of sets. So
  /// equally long cycles are compared by what the names say about them.
  func links(
    of component: [Int], _ owners: NodeOwners, _ names: ReferenceNames
  ) -> [Link] {
    let starts = starts(in: component, Set(component), owners)
    let numbers = Dictionary(
      component.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    // The edges within the component, by the numbers of its nodes.
    let inner = component.map { node in edges(of: node).filter { numbers[$0.target] != nil } }
    let labels = names.labels(of: Array(zip(component, inner)), in: self)
    var search = ShortestCycles(
      zip(inner, labels).map { edges, labels in
        zip(edges, labels).map { ShortestCycles.Edge(target: numbers[$0.target] ?? 0, label: $1) }
      }, weights: component.map(owners.weight(of:)))
    let count = inner.reduce(0) { $0 + $1.count }
    let order = ordered(Array(starts.keys))
    var best: ShortestCycles.Cycle?
    // A remaining word of freed memory, or an identifier, can look like a shorter cycle.
    for certainty in Certainty.allCases where best == nil {
      search.visitsLeft = count * Self.maxSearches
      for start in order where search.visitsLeft > 0 {
        guard let number = numbers[start] else { continue }
        let found = search.cycle(through: number, limit: best?.length ?? .max) { source, index in
          let edge = inner[source][index]
          if edge.target == start, case .capture(let owner)? = starts[start] {
            guard edge.code != 0, owners.ofCode(edge.code) == owner else { return false }
          }
          return certainty == .none || edge.isCertain || isExplained(edge.target)
            || certainty == .ofUser && !isOfUser(component[source])
        }
        if let found, best.map(found.precedes) ?? true { best = found }
      }
    }
    let steps = best?.steps ?? []
    return steps.indices.map { index in
      let previous = steps[(index + steps.count - 1) % steps.count]
      let step = steps[index]
      return Link(
        node: component[step.node], edge: inner[step.node][step.edge],
        code: inner[previous.node][previous.edge].code)
    }
  }

  /// How certain the references of a cycle are.
  private enum Certainty: CaseIterable {
    case all, ofUser, none
  }

  /// Why a finding can describe a cycle with a node.
  private enum Start {
    case object
    /// A closure of this owner captures the node, or has it as its context.
    case capture(CodeOwner)
  }

  /// Returns the nodes that the cycle of a component can go through: objects of the user and what
  /// the user's closures capture, or else tasks, or else any.
  private func starts(
    in component: [Int], _ members: Set<Int>, _ owners: NodeOwners
  ) -> [Int: Start] {
    var objects: [CodeOwner: [Int]] = [:]
    var captures: [CodeOwner: [Int]] = [:]
    for node in component {
      if let owner = owners.ofNode(node) { objects[owner, default: []].append(node) }
      for edge in edges(of: node) where edge.code != 0 && members.contains(edge.target) {
        if let owner = owners.ofCode(edge.code) {
          captures[owner, default: []].append(edge.target)
        }
      }
    }
    var starts: [Int: Start] = [:]
    if let best = (Array(objects.keys) + captures.keys).min() {
      for node in captures[best] ?? [] { starts[node] = .capture(best) }
      for node in objects[best] ?? [] { starts[node] = .object }
    } else {
      let tasks = component.filter { nodes[$0].type?.kind == .task }
      for node in tasks.isEmpty ? component : tasks { starts[node] = .object }
    }
    return starts
  }

  /// The number of searches through all of a component for which there is always time.
  private static let maxSearches = 64

  /// Returns nodes in the order in which cycles through them are searched until time runs out, with
  /// nodes of different classes next to each other.
  private func ordered(_ starts: [Int]) -> [Int] {
    let sorted = starts.sorted {
      (edges(of: $0).count, nodes[$0].incoming, nodes[$0].address)
        < (edges(of: $1).count, nodes[$1].incoming, nodes[$1].address)
    }
    let classes = Dictionary(grouping: sorted) { nodes[$0].type?.fullName ?? "" }
      .sorted { $0.key < $1.key }
    let largest = classes.lazy.map(\.value.count).max() ?? 0
    return (0..<largest).flatMap { index in
      classes.compactMap { index < $0.value.count ? $0.value[index] : nil }
    }
  }

  /// Returns whether a component has no cycle without some references. Words that may not be
  /// references don't count.
  func isAcyclic(_ component: [Int], without isRemoved: (_ source: Int, Edge) -> Bool)
    -> Bool
  {
    let members = Set(component)
    var incoming: [Int: Int] = [:]
    var remaining: [Int: [Int]] = [:]
    for node in component {
      for edge in edges(of: node)
      where members.contains(edge.target) && (edge.isCertain || isExplained(edge.target))
        && !isRemoved(node, edge)
      {
        incoming[edge.target, default: 0] += 1
        remaining[node, default: []].append(edge.target)
      }
    }
    var open = component.filter { incoming[$0] == nil }
    var count = 0
    while let node = open.popLast() {
      count += 1
      for target in remaining[node] ?? [] {
        let left = (incoming[target] ?? 0) - 1
        incoming[target] = left
        if left == 0 { open.append(target) }
      }
    }
    return count == component.count
  }

  func isOfUser(_ node: Int) -> Bool {
    guard let type = nodes[node].type, type.kind == .instance else { return false }
    return !FrameworkModules.contain(type.module)
  }

  /// The ends of the names of classes that store what another object owns.
  private static let storageNames = ["Storage", "Box", "Lock", "Mutex", "Buffer"]

  /// Returns whether an object only stores what another one owns: a lock or a collection.
  func isStorage(_ node: Int) -> Bool {
    guard let type = nodes[node].type, let fields = type.fields else { return false }
    if fields.contains(where: { $0.owner == "ManagedBuffer" && $0.module == "Swift" }) {
      return true
    }
    return fields.count <= 2 && Self.storageNames.contains { type.name.hasSuffix($0) }
  }

  /// Returns whether a word is certainly a reference.
  func isCertain(_ edge: Edge) -> Bool { edge.isCertain || isExplained(edge.target) }

  /// Returns whether a reference on a cycle certainly keeps its target alive.
  ///
  /// It does if its type is described, if the target's retain count equals the number of words with
  /// its address, or if a single object has all of these words. It also counts as certain if all of
  /// these words are in the component, because one of them must be a reference. A field of the
  /// user's class is an exception, because the report would name a field that may be wrong.
  ///
  /// A word in memory of C is never certain.
  func isCertain(_ link: Link, _ sources: Set<Int>, _ component: Set<Int>) -> Bool {
    guard !foreignMemory.contains(link.node) else { return false }
    if isCertain(link.edge) || sources.count == 1 { return true }
    return !isOfUser(link.node) && sources.isSubset(of: component)
  }
}

/// Whose code the classes and the closures of a graph are.
struct NodeOwners {
  /// The owner of each class's code, by node. Nil for objects of frameworks and other memory.
  let ofNode: (Int) -> CodeOwner?
  /// The owner of a closure's code. Nil if it isn't the user's or a package's.
  let ofCode: (UInt) -> CodeOwner?

  init(ofNode: @escaping (Int) -> CodeOwner?, ofCode: @escaping (UInt) -> CodeOwner?) {
    self.ofNode = ofNode
    self.ofCode = ofCode
  }

  /// The length of the longest reference.
  static let maxWeight = 16

  /// Returns the length of a reference to a node: how little users know about its class.
  func weight(of node: Int) -> Int {
    switch ofNode(node) {
    case .program?, nil: 1
    case .otherPackage?: 4
    case .dependency?: Self.maxWeight
    }
  }
}
