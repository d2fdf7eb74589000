/// A step of a path through the heap: an object, and its reference to the next one.
struct PathStep {
  let object: Heap.Object
  let reference: Reference
}

extension ReferenceGraph {
  /// Returns the shortest path from one of the `starts` to one of the `goals`, or nil if there is
  /// none among the first `limit` objects.
  ///
  /// - Parameter isInTime: Whether there is time to go on.
  func path(
    from starts: [UInt], to goals: Set<UInt>, limit: Int = 50_000, isInTime: () -> Bool
  ) -> [PathStep]? {
    var reached: [UInt: PathStep?] = [:]
    var queue: [Heap.Object] = []
    for start in starts where reached[start] == nil {
      guard let object = heap.object(at: start) else { continue }
      reached[start] = .some(nil)
      queue.append(object)
    }
    var next = 0
    while next < queue.count, queue.count < limit {
      let holder = queue[next]
      next += 1
      if next % 64 == 0, !isInTime() { return nil }
      for reference in references(from: holder) {
        let step = PathStep(object: holder, reference: reference)
        if goals.contains(reference.target) { return path(to: step, reached) }
        guard reached[reference.target] == nil, let target = heap.object(at: reference.target)
        else { continue }
        reached[reference.target] = .some(step)
        queue.append(target)
      }
    }
    return nil
  }

  private func path(to last: PathStep, _ reached: [UInt: PathStep?]) -> [PathStep] {
    var path = [last]
    while let before = reached[path[path.count - 1].object.address] ?? nil { path.append(before) }
    return path.reversed()
  }
}
