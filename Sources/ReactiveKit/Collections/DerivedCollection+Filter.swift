extension ObservableCollectionProtocol where UnderlyingCollection.Index == Int {
  /// Returns a collection of the elements for which the closure returns true. The result follows
  /// this collection.
  ///
  /// The closure runs once for each element that a change inserts or updates. An update can add an
  /// element to the result or remove it. Each change also takes one pass over an array with one
  /// flag for each element of the source.
  public func filter(_ isIncluded: @escaping (UnderlyingCollection.Element) -> Bool)
    -> DerivedCollection<UnderlyingCollection.Element>
  {
    let flags = UncheckedBox<[Bool]?>(nil)
    return DerivedCollection(following: self) { event in
      guard let old = flags.value else {
        let included = event.collection.map(isIncluded)
        flags.value = included
        let initial = Swift.zip(event.collection, included).filter(\.1).map(\.0)
        return { array in
          array = initial
          return .init(inserts: Array(initial.indices))
        }
      }
      var step = FilterStep(old)
      step.delete(event.deletes)
      step.insert(event.inserts.map { ($0, isIncluded(event.collection[$0])) })
      step.update(event.updates.map { ($0, isIncluded(event.collection[$0])) })
      flags.value = step.flags.map(\.isIncluded)
      let (change, sources) = step.result()
      let inserted = sources.inserts.map { event.collection[$0] }
      let updated = sources.updates.map { event.collection[$0] }
      return { array in
        array.edit(deletes: change.deletes, inserts: Swift.zip(change.inserts, inserted))
        for (index, element) in Swift.zip(change.updates, updated) { array[index] = element }
        return change
      }
    }
  }
}

/// A step that translates a change of a collection into a change of the elements that pass a
/// filter.
private struct FilterStep {
  struct Flag {
    var isIncluded: Bool
    // The index among the included elements before the change, or nil if the element was not one of
    // them.
    var oldRank: Int?
    var isUpdated = false
  }

  private(set) var flags: [Flag]
  private var deletes: [Int] = []

  init(_ old: [Bool]) {
    var rank = 0
    flags = old.map { isIncluded in
      defer { if isIncluded { rank += 1 } }
      return Flag(isIncluded: isIncluded, oldRank: isIncluded ? rank : nil)
    }
  }

  mutating func delete(_ indices: [Int]) {
    deletes += indices.compactMap { flags[$0].oldRank }
    flags.edit(deletes: indices, inserts: [])
  }

  mutating func insert(_ inserts: [(Int, Bool)]) {
    flags.edit(deletes: [], inserts: inserts.map { ($0, Flag(isIncluded: $1)) })
  }

  mutating func update(_ updates: [(Int, Bool)]) {
    for (index, isIncluded) in updates {
      if flags[index].isIncluded, !isIncluded, let rank = flags[index].oldRank {
        deletes.append(rank)
        flags[index].oldRank = nil
      }
      flags[index].isIncluded = isIncluded
      flags[index].isUpdated = true
    }
  }

  /// Returns the change of the included elements, and the source indices of the inserted and
  /// updated elements.
  func result() -> (CollectionChange<Int>, (inserts: [Int], updates: [Int])) {
    var change = CollectionChange<Int>(deletes: deletes.sorted())
    var inserts: [Int] = []
    var updates: [Int] = []
    var rank = 0
    for (index, flag) in flags.enumerated() where flag.isIncluded {
      if flag.oldRank == nil {
        change.inserts.append(rank)
        inserts.append(index)
      } else if flag.isUpdated {
        change.updates.append(rank)
        updates.append(index)
      }
      rank += 1
    }
    return (change, (inserts, updates))
  }
}
