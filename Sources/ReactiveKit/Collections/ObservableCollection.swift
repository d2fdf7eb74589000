/// A type with a collection that can be observed.
public protocol ObservableCollectionProtocol<UnderlyingCollection>: SignalProtocol
where Element == ObservableCollectionEvent<UnderlyingCollection>, Error == Never {
  associatedtype UnderlyingCollection: Collection

  /// The current collection.
  var collection: UnderlyingCollection { get }
}

/// An array, set or dictionary whose changes can be observed. Events carry the new collection and
/// the inserted, updated and deleted indices.
///
///     let names = ObservableCollection(["Steve", "Tim"])
///     names.append("John")    // inserts [2]
///     names[1] = "Mark"       // updates [1]
///     names.removeLast()      // deletes [2]
///
/// You can read and change the collection on any thread, and also inside an observer. A change made
/// inside an observer is sent after the change that is being delivered. Each observer first
/// receives the current collection without changes. The collection completes when it is
/// deallocated.
///
/// A change costs as much as it does in the underlying collection, unless something retains the
/// collection of an earlier event.
public final class ObservableCollection<UnderlyingCollection: Collection>:
  ObservableCollectionProtocol, DisposeBagProvider, Sendable
{
  public typealias Element = ObservableCollectionEvent<UnderlyingCollection>
  public typealias Error = Never

  let core: CollectionCore<UnderlyingCollection>

  /// A bag that is disposed when the collection is deallocated.
  public let bag = DisposeBag()

  init(core: CollectionCore<UnderlyingCollection>) {
    self.core = core
  }

  deinit {
    core.close()
  }

  public var collection: UnderlyingCollection { core.collection }

  public var count: Int { core.collection.count }

  public var isEmpty: Bool { core.collection.isEmpty }

  /// Sends all changes made while `body` runs, on any thread, as one event.
  ///
  /// A batch costs a copy of the collection. Batches can nest: the outermost batch sends the event.
  public func batchUpdate(_ body: (ObservableCollection<UnderlyingCollection>) -> Void) {
    core.batchUpdate { body(self) }
  }

  public func observe(with observer: @escaping Observer<Element, Never>) -> any Disposable {
    observeChain(with: observer)
  }

  public func _attach(_ observer: @escaping Observer<Element, Never>, to chain: ChainDisposable) {
    core.attach(observer, to: chain)
  }
}
