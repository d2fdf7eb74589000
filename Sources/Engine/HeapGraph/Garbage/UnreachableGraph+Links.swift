import ProcessMemory

/// The cycle that represents a component of connected cycles.
extension UnreachableGraph {
  /// A reference on a cycle.
  package struct Link {
    package let node: Int
    package let edge: Edge
    /// The address of the code, if the node is what a closure captures.
    package let code: UInt
  }

  /// Returns the cycle of a component whose code users know best.
  ///
  /// It goes through their objects or through what their closures capture. Of several cycles, it is
  /// the one with the fewest references of other packages, and of these the shortest one. The
  /// addresses of objects change from run to run. Equally long cycles are compared by their fields,
  /// so that each run returns the same one.
  package func links(of component: [Int], _ owners: NodeOwners) -> [Link] {
    let members = Set(component)
    let starts = starts(in: component, members, owners)
    let chosen = startsOfEachClass(Array(starts.keys))
    var best: [(node: Int, edge: Edge)] = []
    var bestFields: [String] = []
    var bestLength = Int.max
    // A remaining word of freed memory, or an identifier, can look like a shorter cycle.
    for certainty in Certainty.allCases where best.isEmpty {
      for start in chosen {
        let found = cycle(
          through: start, in: members, limit: bestLength, weight: owners.weight(of:)
        ) { source, edge in
          if edge.target == start, case .capture(let owner)? = starts[start] {
            guard edge.code != 0, owners.ofCode(edge.code) == owner else { return false }
          }
          return certainty == .none || edge.isCertain || isExplained(edge.target)
            || certainty == .ofUser && !isOfUser(source)
        }
        guard let found, found.length <= bestLength else { continue }
        let fields = self.fields(found.cycle)
        if found.length < bestLength || fields.lexicographicallyPrecedes(bestFields) {
          (best, bestFields, bestLength) = (found.cycle, fields, found.length)
        }
      }
    }
    if best.isEmpty, let first = component.first {
      best =
        cycle(through: first, in: members, limit: .max, weight: { _ in 1 }) { _, _ in true }?.cycle
        ?? []
    }
    return best.indices.map { index in
      let previous = best[(index + best.count - 1) % best.count].edge
      return Link(node: best[index].node, edge: best[index].edge, code: previous.code)
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
  /// the user's closures capture, or else tasks.
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
      for node in component where nodes[node].type?.kind == .task { starts[node] = .object }
    }
    return starts
  }

  /// The maximum number of objects from which shortest cycles are searched: of one class, and of
  /// all classes.
  private static let maxStarts = (ofClass: 4, all: 64)

  /// Returns some of the nodes, with nodes of as many classes as possible.
  private func startsOfEachClass(_ starts: [Int]) -> [Int] {
    let sorted = starts.sorted {
      (edges(of: $0).count, nodes[$0].incoming, nodes[$0].address)
        < (edges(of: $1).count, nodes[$1].incoming, nodes[$1].address)
    }
    let classes = Dictionary(grouping: sorted) { nodes[$0].type?.fullName ?? "" }
      .sorted { $0.key < $1.key }
    return (0..<Self.maxStarts.ofClass).flatMap { index in
      classes.compactMap { index < $0.value.count ? $0.value[index] : nil }
    }
    .prefix(Self.maxStarts.all).map { $0 }
  }

  /// Returns the fields of a cycle, beginning with the alphabetically first one.
  private func fields(_ cycle: [(node: Int, edge: Edge)]) -> [String] {
    let fields = cycle.map { node, edge in
      "\(nodes[node].type?.fullName ?? "") \(edge.offset)"
    }
    guard let first = fields.indices.min(by: { fields[$0] < fields[$1] }) else { return fields }
    return Array(fields[first...] + fields[..<first])
  }

  /// Returns the shortest cycle through a node within a component, as edges with the nodes that
  /// they begin at, or nil if there isn't one.
  ///
  /// - Parameters:
  ///   - limit: The maximum length of the cycle.
  ///   - weight: Returns the length of a reference to a node, at most `maxWeight`.
  ///   - isIncluded: Returns whether the cycle may have a reference.
  private func cycle(
    through start: Int, in component: Set<Int>, limit: Int, weight: (_ target: Int) -> Int,
    where isIncluded: (_ source: Int, Edge) -> Bool
  ) -> (cycle: [(node: Int, edge: Edge)], length: Int)? {
    var previous: [Int: (node: Int, edge: Edge)] = [:]
    var distances: [Int: Int] = [start: 0]
    // The nodes by their distances. No other distance is in use at the same time.
    var buckets = [[Int]](repeating: [], count: NodeOwners.maxWeight + 1)
    buckets[0] = [start]
    var open = 1
    var distance = 0
    while open > 0, distance <= limit {
      let bucket = distance % buckets.count
      let current = buckets[bucket]
      buckets[bucket] = []
      open -= current.count
      for node in current where node == start && distance > 0 {
        var steps: [(node: Int, edge: Edge)] = []
        var at = start
        repeat {
          guard let before = previous[at] else { return nil }
          steps.append(before)
          at = before.node
        } while at != start
        return (steps.reversed(), distance)
      }
      for node in current where distances[node] == distance {
        for edge in edges(of: node)
        where component.contains(edge.target) && isIncluded(node, edge) {
          let next = distance + weight(edge.target)
          let known = edge.target == start && previous[start] == nil ? nil : distances[edge.target]
          guard known.map({ next < $0 }) ?? true else { continue }
          previous[edge.target] = (node, edge)
          distances[edge.target] = next
          buckets[next % buckets.count].append(edge.target)
          open += 1
        }
      }
      distance += 1
    }
    return nil
  }

  /// Returns whether a component has no cycle without some references. Words that may not be
  /// references don't count.
  package func isAcyclic(_ component: [Int], without isRemoved: (_ source: Int, Edge) -> Bool)
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

  package func isOfUser(_ node: Int) -> Bool {
    guard let type = nodes[node].type, type.kind == .instance else { return false }
    return !FrameworkModules.contain(type.module)
  }

  /// The ends of the names of classes that store what another object owns.
  private static let storageNames = ["Storage", "Box", "Lock", "Mutex", "Buffer"]

  /// Returns whether an object only stores what another one owns: a lock or a collection.
  package func isStorage(_ node: Int) -> Bool {
    guard let type = nodes[node].type, let fields = type.fields else { return false }
    if fields.contains(where: { $0.owner == "ManagedBuffer" && $0.module == "Swift" }) {
      return true
    }
    return fields.count <= 2 && Self.storageNames.contains { type.name.hasSuffix($0) }
  }

  /// Returns whether a reference on a cycle certainly keeps its target alive.
  ///
  /// It does if its type is described, if the target's retain count equals the number of words with
  /// its address, or if a single object has all of these words. It also counts as certain if all of
  /// these words are in the component, because one of them must be a reference. A field of the
  /// user's class is an exception, because the report would name a field that may be wrong.
  ///
  /// A word in memory of C is never certain.
  package func isCertain(_ link: Link, _ sources: Set<Int>, _ component: Set<Int>) -> Bool {
    let target = link.edge.target
    guard !foreignMemory.contains(link.node) else { return false }
    if link.edge.isCertain || isExplained(target) || sources.count == 1 { return true }
    return !isOfUser(link.node) && sources.isSubset(of: component)
  }
}

/// Whose code the classes and the closures of a graph are.
package struct NodeOwners {
  /// The owner of each class's code, by node. Nil for objects of frameworks and other memory.
  package let ofNode: (Int) -> CodeOwner?
  /// The owner of a closure's code. Nil if it isn't the user's or a package's.
  package let ofCode: (UInt) -> CodeOwner?

  package init(ofNode: @escaping (Int) -> CodeOwner?, ofCode: @escaping (UInt) -> CodeOwner?) {
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
