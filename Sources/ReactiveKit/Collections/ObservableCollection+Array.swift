extension ObservableCollection {
  public convenience init<Member>(_ array: [Member]) where UnderlyingCollection == [Member] {
    self.init(
      core: CollectionCore(array) { old, _, changes in
        Provenance.join(changes, oldCount: old.count)
      })
  }

  /// Accesses the element at an index. Setting an element always reports an update, because
  /// elements of an arbitrary type can't be compared.
  public subscript<Member>(index: Int) -> Member where UnderlyingCollection == [Member] {
    get { core.collection[index] }
    set {
      let outdated = core.update { array in
        let outdated = array[index]
        array[index] = newValue
        return (.init(updates: [index]), outdated)
      }
      withExtendedLifetime(outdated) {}
    }
  }

  public func append<Member>(_ member: Member) where UnderlyingCollection == [Member] {
    core.update { array in
      array.append(member)
      return (.init(inserts: [array.count - 1]), ())
    }
  }

  public func append<Member>(contentsOf members: some Sequence<Member>)
  where UnderlyingCollection == [Member] {
    let members = Array(members)
    core.update { array in
      array.append(contentsOf: members)
      return (.init(inserts: Array(array.count - members.count..<array.count)), ())
    }
  }

  public func insert<Member>(_ member: Member, at index: Int)
  where UnderlyingCollection == [Member] {
    insert(contentsOf: [member], at: index)
  }

  public func insert<Member>(contentsOf members: some Sequence<Member>, at index: Int)
  where UnderlyingCollection == [Member] {
    let members = Array(members)
    core.update { array in
      array.insert(contentsOf: members, at: index)
      return (.init(inserts: Array(index..<index + members.count)), ())
    }
  }

  @discardableResult
  public func remove<Member>(at index: Int) -> Member where UnderlyingCollection == [Member] {
    core.update { array in (.init(deletes: [index]), array.remove(at: index)) }
  }

  @discardableResult
  public func removeFirst<Member>() -> Member where UnderlyingCollection == [Member] {
    remove(at: 0)
  }

  @discardableResult
  public func removeLast<Member>() -> Member where UnderlyingCollection == [Member] {
    core.update { array in (.init(deletes: [array.count - 1]), array.removeLast()) }
  }

  /// Removes the last element, if there is one.
  @discardableResult
  public func popLast<Member>() -> Member? where UnderlyingCollection == [Member] {
    core.update { array in
      array.isEmpty ? (.init(), nil) : (.init(deletes: [array.count - 1]), array.removeLast())
    }
  }

  public func removeSubrange<Member>(_ range: Range<Int>) where UnderlyingCollection == [Member] {
    let outdated = core.update { array in
      let outdated = array[range]
      array.removeSubrange(range)
      return (.init(deletes: Array(range)), outdated)
    }
    withExtendedLifetime(outdated) {}
  }

  public func removeAll<Member>() where UnderlyingCollection == [Member] {
    replace([])
  }

  /// Moves an element. The event reports a deletion at the old index and an insertion at the new
  /// index. The new index refers to the array without the element.
  public func move<Member>(from old: Int, to new: Int) where UnderlyingCollection == [Member] {
    core.update { array in
      array.insert(array.remove(at: old), at: new)
      return (.init(inserts: [new], deletes: [old]), ())
    }
  }

  /// Replaces the whole array. The event reports all old elements as deleted and all new elements
  /// as inserted.
  public func replace<Member>(_ array: [Member]) where UnderlyingCollection == [Member] {
    let outdated = core.update { current in
      let outdated = current
      current = array
      return (
        .init(inserts: Array(array.indices), deletes: Array(outdated.indices)), outdated
      )
    }
    withExtendedLifetime(outdated) {}
  }

  /// Replaces the whole array. If `performDiff` is true, the event reports only the differences
  /// that `CollectionDifference` finds. Finding them takes time that grows with the length times
  /// the number of differences.
  public func replace<Member: Equatable>(_ array: [Member], performDiff: Bool)
  where UnderlyingCollection == [Member] {
    guard performDiff else { return replace(array) }
    let outdated = core.update { current in
      let outdated = current
      let difference = array.difference(from: current)
      current = array
      let change = CollectionChange(
        inserts: difference.insertions.map(\.offset), deletes: difference.removals.map(\.offset))
      return (change, outdated)
    }
    withExtendedLifetime(outdated) {}
  }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
