extension ObservableCollection {
  public convenience init<Member: Hashable>(_ set: Set<Member>)
  where UnderlyingCollection == Set<Member> {
    self.init(core: CollectionCore(set) { old, new, _ in Self.difference(from: old, to: new) })
  }

  private static func difference<Member: Hashable>(from old: Set<Member>, to new: Set<Member>)
    -> CollectionChange<Set<Member>.Index> where UnderlyingCollection == Set<Member>
  {
    .init(
      inserts: new.indices.filter { !old.contains(new[$0]) },
      deletes: old.indices.filter { !new.contains(old[$0]) })
  }

  public func contains<Member: Hashable>(_ member: Member) -> Bool
  where UnderlyingCollection == Set<Member> {
    core.collection.contains(member)
  }

  /// Inserts a member. Sends no event if the set already contains an equal member.
  @discardableResult
  public func insert<Member: Hashable>(_ member: Member)
    -> (inserted: Bool, memberAfterInsert: Member) where UnderlyingCollection == Set<Member>
  {
    core.update { set in
      let result = set.insert(member)
      let index = result.inserted ? set.firstIndex(of: member) : nil
      return (.init(inserts: index.map { [$0] } ?? []), result)
    }
  }

  /// Removes a member. Sends no event if the set does not contain the member.
  @discardableResult
  public func remove<Member: Hashable>(_ member: Member) -> Member?
  where UnderlyingCollection == Set<Member> {
    core.update { set in
      guard let index = set.firstIndex(of: member) else { return (.init(), nil) }
      return (.init(deletes: [index]), set.remove(member))
    }
  }

  public func formUnion<Member: Hashable>(_ other: some Sequence<Member>)
  where UnderlyingCollection == Set<Member> {
    change { $0.formUnion(other) }
  }

  public func formIntersection<Member: Hashable>(_ other: some Sequence<Member>)
  where UnderlyingCollection == Set<Member> {
    change { $0.formIntersection(other) }
  }

  public func formSymmetricDifference<Member: Hashable>(_ other: some Sequence<Member>)
  where UnderlyingCollection == Set<Member> {
    change { $0.formSymmetricDifference(other) }
  }

  public func subtract<Member: Hashable>(_ other: some Sequence<Member>)
  where UnderlyingCollection == Set<Member> {
    change { $0.subtract(other) }
  }

  public func removeAll<Member: Hashable>() where UnderlyingCollection == Set<Member> {
    replace([])
  }

  /// Replaces the whole set. Members that are in both sets are reported as neither deleted nor
  /// inserted.
  public func replace<Member: Hashable>(_ set: Set<Member>)
  where UnderlyingCollection == Set<Member> {
    change { $0 = set }
  }

  private func change<Member: Hashable>(_ edit: (inout Set<Member>) -> Void)
  where UnderlyingCollection == Set<Member> {
    let outdated = core.update { set in
      let outdated = set
      edit(&set)
      return (Self.difference(from: outdated, to: set), outdated)
    }
    withExtendedLifetime(outdated) {}
  }
}
