/// A collection after a change, and what the change was.
///
/// `deletes` are indices of the collection as it was before; `inserts` and `updates` are indices of it as it is now. All
/// ascend for arrays. The first event of an observation has the collection as it is and no changes.
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

/// The indices that one change, or several together, touched.
struct CollectionChange<Index> {
  var inserts: [Index] = []
  var deletes: [Index] = []
  var updates: [Index] = []
  /// The key that a change of a dictionary was about: its indices say nothing any more after the next change.
  var key: AnyHashable?

  var isEmpty: Bool { inserts.isEmpty && deletes.isEmpty && updates.isEmpty }
}
