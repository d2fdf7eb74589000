extension ObservableCollectionProtocol where UnderlyingCollection.Index == Int {
  /// Returns a collection of the elements in the order that the closure defines. The result follows
  /// this collection.
  ///
  /// If an updated element still fits between its neighbors, the result reports an update.
  /// Otherwise, the result reports a deletion and an insertion.
  ///
  /// If k of n elements change, the closure is called about k log n times. The change also costs a
  /// pass over an array of n numbers and a copy of the array.
  public func sorted(
    by areInIncreasingOrder:
      @escaping (
        UnderlyingCollection.Element, UnderlyingCollection.Element
      ) -> Bool
  ) -> DerivedCollection<UnderlyingCollection.Element> {
    let order = UncheckedBox(SortedOrder<UnderlyingCollection.Element>(areInIncreasingOrder))
    return DerivedCollection(following: self) { event in
      let change = order.value.apply(event)
      let sorted = order.value.elements
      return { array in
        array = sorted
        return change
      }
    }
  }
}

extension ObservableCollectionProtocol
where UnderlyingCollection.Index == Int, UnderlyingCollection.Element: Comparable {
  /// Returns a collection of the elements in ascending order. The result follows this collection.
  public func sorted() -> DerivedCollection<UnderlyingCollection.Element> {
    sorted(by: <)
  }
}

/// The elements of a collection in sorted order. Each element keeps a number that identifies it.
private struct SortedOrder<Element> {
  private let isBefore: (Element, Element) -> Bool
  // The numbers of the elements, in the order of the source.
  private var sourceIDs: [Int] = []
  // The numbers of the elements, in sorted order.
  private var ids: [Int] = []
  private(set) var elements: [Element] = []
  private var lastID = 0
  private var hasBegun = false

  init(_ isBefore: @escaping (Element, Element) -> Bool) {
    self.isBefore = isBefore
  }

  mutating func apply<Source: Collection>(_ event: ObservableCollectionEvent<Source>)
    -> CollectionChange<Int> where Source.Element == Element, Source.Index == Int
  {
    guard hasBegun else {
      hasBegun = true
      return begin(event.collection)
    }
    var gone = Set(event.deletes.map { sourceIDs[$0] })
    sourceIDs.edit(deletes: event.deletes, inserts: [])
    var arriving: [(id: Int, element: Element)] = []
    for index in event.inserts {
      lastID += 1
      sourceIDs.insert(lastID, at: index)
      arriving.append((lastID, event.collection[index]))
    }
    var staying: Set<Int> = []
    let updates = Dictionary(
      uniqueKeysWithValues: event.updates.map { (sourceIDs[$0], event.collection[$0]) })
    for position in updates.isEmpty ? [] : Array(ids.indices) {
      guard let element = updates[ids[position]] else { continue }
      if fits(element, at: position, gone) {
        elements[position] = element
        staying.insert(ids[position])
      } else {
        gone.insert(ids[position])
        arriving.append((ids[position], element))
      }
    }
    var change = CollectionChange<Int>()
    if !gone.isEmpty { change.deletes = ids.indices.filter { gone.contains(ids[$0]) } }
    ids.edit(deletes: change.deletes, inserts: [])
    elements.edit(deletes: change.deletes, inserts: [])
    for (id, element) in arriving {
      let position = position(for: element)
      ids.insert(id, at: position)
      elements.insert(element, at: position)
    }
    let arrived = Set(arriving.map(\.id))
    for (position, id) in arrived.isEmpty && staying.isEmpty ? [] : Array(ids.enumerated()) {
      if arrived.contains(id) { change.inserts.append(position) }
      if staying.contains(id) { change.updates.append(position) }
    }
    return change
  }

  private mutating func begin(_ source: some Collection<Element>) -> CollectionChange<Int> {
    let sorted = source.enumerated().sorted { isBefore($0.element, $1.element) }
    sourceIDs = Array(0..<sorted.count)
    ids = sorted.map(\.offset)
    elements = sorted.map(\.element)
    lastID = sorted.count
    return .init(inserts: Array(elements.indices))
  }

  /// Reports whether an element at this position is in order with the neighbors that remain.
  private func fits(_ element: Element, at position: Int, _ gone: Set<Int>) -> Bool {
    if let before = ids[..<position].lastIndex(where: { !gone.contains($0) }),
      isBefore(element, elements[before])
    {
      return false
    }
    if let after = ids[(position + 1)...].firstIndex(where: { !gone.contains($0) }),
      isBefore(elements[after], element)
    {
      return false
    }
    return true
  }

  /// Returns the index at which an element belongs, after all elements that are equal to it.
  private func position(for element: Element) -> Int {
    var low = 0
    var high = elements.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(element, elements[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
