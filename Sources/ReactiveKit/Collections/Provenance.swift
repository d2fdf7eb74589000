/// The origins of an array's elements after several changes. They are used to combine the changes
/// into one.
struct Provenance {
  // The index of each element before all changes, or nil for an inserted element.
  private var origins: [Int?]
  private var updated: Set<Int> = []

  private init(count: Int) {
    origins = Array(0..<count)
  }

  private mutating func apply(_ change: CollectionChange<Int>) {
    for index in change.deletes.reversed() { origins.remove(at: index) }
    for index in change.inserts { origins.insert(nil, at: index) }
    for index in change.updates {
      if let origin = origins[index] { updated.insert(origin) }
    }
  }

  private func change(oldCount: Int) -> CollectionChange<Int> {
    var change = CollectionChange<Int>()
    var next = 0
    for (index, origin) in origins.enumerated() {
      guard let origin else {
        change.inserts.append(index)
        continue
      }
      // Remaining elements keep their order, so a skipped element is deleted.
      change.deletes += next..<origin
      next = origin + 1
      if updated.contains(origin) { change.updates.append(index) }
    }
    change.deletes += next..<oldCount
    return change
  }

  /// Returns one change with the effect of all changes, for an array that had `oldCount` elements.
  static func join(_ changes: [CollectionChange<Int>], oldCount: Int) -> CollectionChange<Int> {
    var provenance = Provenance(count: oldCount)
    for change in changes { provenance.apply(change) }
    return provenance.change(oldCount: oldCount)
  }
}
