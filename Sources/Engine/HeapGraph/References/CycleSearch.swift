import ProcessMemory

/// A step of a path through the heap: an object, and its reference to the next one.
package struct PathStep {
  package let object: Heap.Object
  package let reference: Reference

  package init(object: Heap.Object, reference: Reference) {
    self.object = object
    self.reference = reference
  }
}

extension ReferenceGraph {
  /// A visited object, and whether the path to it leads through an object of the user.
  private struct Visit: Hashable {
    let address: UInt
    let isBehindUser: Bool
  }

  /// Returns the shortest path from any of the `starts` to any of the `goals`, or nil if the search
  /// visits `limit` objects without finding a goal.
  ///
  /// - Parameters:
  ///   - throughUser: Whether the path must lead through an object of the user before it reaches a
  ///     goal.
  ///   - throughPublishers: Whether the path may lead through a publisher of the library.
  ///   - isInTime: Returns whether there is time to continue.
  package func path(
    from starts: [UInt], to goals: Set<UInt>, limit: Int = 50_000, throughUser: Bool = false,
    throughPublishers: Bool = true, isInTime: () -> Bool
  ) -> [PathStep]? {
    var reached: [Visit: (step: PathStep, from: Visit)?] = [:]
    var queue: [(object: Heap.Object, visit: Visit)] = []
    func visit(_ object: Heap.Object, _ way: (step: PathStep, from: Visit)?) {
      let isBehindUser = throughUser && (way?.from.isBehindUser ?? false || isOfUser(object))
      let visit = Visit(address: object.address, isBehindUser: isBehindUser)
      guard reached[visit] == nil else { return }
      reached[visit] = .some(way)
      queue.append((object, visit))
    }
    for start in starts {
      if let object = heap.object(at: start) { visit(object, nil) }
    }
    var next = 0
    while next < queue.count, queue.count < limit {
      let (holder, from) = queue[next]
      next += 1
      if next % 64 == 0, !isInTime() { return nil }
      for reference in references(from: holder) {
        let step = PathStep(object: holder, reference: reference)
        if goals.contains(reference.target) {
          if throughUser, !from.isBehindUser { continue }
          var path = [step]
          var before = reached[from] ?? nil
          while let way = before {
            path.append(way.step)
            before = reached[way.from] ?? nil
          }
          return path.reversed()
        }
        let known = Visit(address: reference.target, isBehindUser: from.isBehindUser)
        if reached[known] == nil, let target = heap.object(at: reference.target),
          throughPublishers || !isPublisher(target)
        {
          visit(target, (step, from))
        }
      }
    }
    return nil
  }
}
