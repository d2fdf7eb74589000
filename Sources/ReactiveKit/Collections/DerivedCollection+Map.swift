extension ObservableCollectionProtocol where UnderlyingCollection.Index == Int {
  /// Returns a collection of the values that the closure returns for each element. The result
  /// follows this collection. The closure runs once for each element that a change inserts or
  /// updates.
  public func map<U>(_ transform: @escaping (UnderlyingCollection.Element) -> U)
    -> DerivedCollection<U>
  {
    let hasBegun = UncheckedBox(false)
    return DerivedCollection(following: self) { event in
      guard hasBegun.value else {
        hasBegun.value = true
        let initial = event.collection.map(transform)
        return { array in
          array = initial
          return .init(inserts: Array(initial.indices))
        }
      }
      let inserted = event.inserts.map { transform(event.collection[$0]) }
      let updated = event.updates.map { transform(event.collection[$0]) }
      return { array in
        array.edit(deletes: event.deletes, inserts: Swift.zip(event.inserts, inserted))
        for (index, element) in Swift.zip(event.updates, updated) { array[index] = element }
        return .init(inserts: event.inserts, deletes: event.deletes, updates: event.updates)
      }
    }
  }
}

extension Array {
  /// Removes the elements at ascending indices, then inserts others at ascending indices of the
  /// result.
  mutating func edit(deletes: [Int], inserts: some Sequence<(Int, Element)>) {
    if deletes.count > 8 {
      // One pass is cheaper than a shift for each deletion.
      var rest = deletes[...]
      var index = -1
      removeAll { _ in
        index += 1
        guard rest.first == index else { return false }
        rest.removeFirst()
        return true
      }
    } else {
      for index in deletes.reversed() { remove(at: index) }
    }
    for (index, element) in inserts { insert(element, at: index) }
  }
}
