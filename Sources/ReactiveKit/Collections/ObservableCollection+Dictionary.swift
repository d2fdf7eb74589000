extension ObservableCollection {
  public convenience init<Key: Hashable, Value>(_ dictionary: [Key: Value])
  where UnderlyingCollection == [Key: Value] {
    self.init(
      core: CollectionCore(dictionary) { old, new, changes in
        let touched = Set(changes.compactMap(\.key))
        return Self.difference(from: old, to: new) { touched.contains(AnyHashable($0)) }
      })
  }

  private static func difference<Key: Hashable, Value>(
    from old: [Key: Value], to new: [Key: Value], isUpdated: (Key) -> Bool
  ) -> CollectionChange<[Key: Value].Index> where UnderlyingCollection == [Key: Value] {
    .init(
      inserts: new.indices.filter { old[new[$0].key] == nil },
      deletes: old.indices.filter { new[old[$0].key] == nil },
      updates: new.indices.filter { old[new[$0].key] != nil && isUpdated(new[$0].key) })
  }

  public subscript<Key: Hashable, Value>(key: Key) -> Value?
  where UnderlyingCollection == [Key: Value] {
    get { core.collection[key] }
    set {
      if let newValue { updateValue(newValue, forKey: key) } else { removeValue(forKey: key) }
    }
  }

  /// Sets the value of a key. The event reports an insertion if the key is new, and an update
  /// otherwise.
  @discardableResult
  public func updateValue<Key: Hashable, Value>(_ value: Value, forKey key: Key) -> Value?
  where UnderlyingCollection == [Key: Value] {
    core.update { dictionary in
      let outdated = dictionary.updateValue(value, forKey: key)
      let indices = dictionary.index(forKey: key).map { [$0] } ?? []
      let change = CollectionChange(
        inserts: outdated == nil ? indices : [], updates: outdated == nil ? [] : indices,
        key: AnyHashable(key))
      return (change, outdated)
    }
  }

  /// Removes a key. Sends no event if the dictionary does not contain the key.
  @discardableResult
  public func removeValue<Key: Hashable, Value>(forKey key: Key) -> Value?
  where UnderlyingCollection == [Key: Value] {
    core.update { dictionary in
      guard let index = dictionary.index(forKey: key) else { return (.init(), nil) }
      let outdated = dictionary.removeValue(forKey: key)
      return (.init(deletes: [index], key: AnyHashable(key)), outdated)
    }
  }

  public func removeAll<Key: Hashable, Value>() where UnderlyingCollection == [Key: Value] {
    replace([:])
  }

  /// Replaces the whole dictionary. Keys that are in both dictionaries are reported as updated.
  public func replace<Key: Hashable, Value>(_ dictionary: [Key: Value])
  where UnderlyingCollection == [Key: Value] {
    let outdated = core.update { current in
      let outdated = current
      current = dictionary
      return (Self.difference(from: outdated, to: dictionary) { _ in true }, outdated)
    }
    withExtendedLifetime(outdated) {}
  }
}
