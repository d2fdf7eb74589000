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

  /// Returns the shortest cycle of a component that goes through the user's objects.
  ///
  /// The addresses of objects change from run to run. Equally short cycles are compared by their
  /// fields, so that each run returns the same one.
  func links(of component: [Int]) -> [Link] {
    let members = Set(component)
    var starts = component.filter(isOfUser)
    if starts.isEmpty { starts = component.filter { nodes[$0].type?.kind == .task } }
    let chosen = startsOfEachClass(starts)
    var best: [(node: Int, edge: Edge)] = []
    var bestFields: [String] = []
    // A remaining word of freed memory can look like a shorter cycle.
    for isCertain in [true, false] where best.isEmpty {
      for start in chosen {
        let cycle = cycle(through: start, in: members) { source, edge in
          !isCertain || edge.isCertain || isExplained(edge.target) || !isOfUser(source)
        }
        guard let cycle, best.isEmpty || cycle.count <= best.count else { continue }
        let fields = self.fields(cycle)
        if best.isEmpty || cycle.count < best.count
          || fields.lexicographicallyPrecedes(bestFields)
        {
          (best, bestFields) = (cycle, fields)
        }
      }
    }
    if best.isEmpty, let first = component.first {
      best = cycle(through: first, in: members) { _, _ in true } ?? []
    }
    return best.indices.map { index in
      let previous = best[(index + best.count - 1) % best.count].edge
      return Link(node: best[index].node, edge: best[index].edge, code: previous.code)
    }
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

  func isOfUser(_ node: Int) -> Bool {
    guard let type = nodes[node].type, type.kind == .instance else { return false }
    return !FrameworkModules.contain(type.module)
  }

  /// Returns whether a reference on a cycle certainly keeps its target alive.
  ///
  /// It does if its type is described, if the target's retain count equals the number of words with
  /// its address, or if a single object has all of these words. It also counts as certain if all of
  /// these words are in the component, because one of them must be a reference. A field of the
  /// user's class is an exception, because the report would name a field that may be wrong.
  func isCertain(_ link: Link, _ sources: Set<Int>, _ component: Set<Int>) -> Bool {
    let target = link.edge.target
    if link.edge.isCertain || isExplained(target) || sources.count == 1 { return true }
    return !isOfUser(link.node) && sources.isSubset(of: component)
  }
}
