extension ObservableCollectionProtocol where UnderlyingCollection.Index == Int {
  /// A collection of what the closure makes of each element, which follows this one: a change of so many elements calls
  /// the closure so many times.
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
  /// Removes the elements at ascending indices, and then inserts others at ascending indices of the result.
  mutating func edit(deletes: [Int], inserts: some Sequence<(Int, Element)>) {
    if deletes.count > 8 {
      // One pass instead of a shift each.
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
