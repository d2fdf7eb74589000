/// A collection after a change, with a description of the change.
///
/// `deletes` contains indices of the collection before the change. `inserts` and `updates` contain
/// indices of the collection after the change. For arrays, all indices ascend. The first event of a
/// subscription has the current collection and no changes.
public struct ObservableCollectionEvent<UnderlyingCollection: Collection> {
  public let collection: UnderlyingCollection
  public let inserts: [UnderlyingCollection.Index]
  public let deletes: [UnderlyingCollection.Index]
  public let updates: [UnderlyingCollection.Index]

  public init(
    collection: UnderlyingCollection, inserts: [UnderlyingCollection.Index] = [],
    deletes: [UnderlyingCollection.Index] = [], updates: [UnderlyingCollection.Index] = []
  ) {
    self.collection = collection
    self.inserts = inserts
    self.deletes = deletes
    self.updates = updates
  }
}

extension ObservableCollectionEvent: Equatable where UnderlyingCollection: Equatable {}

/// The indices that one or more changes affect.
struct CollectionChange<Index> {
  var inserts: [Index] = []
  var deletes: [Index] = []
  var updates: [Index] = []
  /// The key that a dictionary change affects. The indices of the change have no meaning after the
  /// next change.
  var key: AnyHashable?

  var isEmpty: Bool { inserts.isEmpty && deletes.isEmpty && updates.isEmpty }
}
