/// Something with a collection that can be observed.
public protocol ObservableCollectionProtocol<UnderlyingCollection>: SignalProtocol
where Element == ObservableCollectionEvent<UnderlyingCollection>, Error == Never {
  associatedtype UnderlyingCollection: Collection

  /// The collection as it is now.
  var collection: UnderlyingCollection { get }
}

/// An array, a set or a dictionary whose changes can be observed: events carry the new collection and the indices that were
/// inserted, updated and deleted.
///
///     let names = ObservableCollection(["Steve", "Tim"])
///     names.append("John")    // inserts [2]
///     names[1] = "Mark"       // updates [1]
///     names.removeLast()      // deletes [2]
///
/// May be read and changed from any thread, also from inside an observer: such a change is sent after the one that is being
/// delivered. Observers are sent the collection as it is first, without changes. It completes when it goes away.
///
/// A change costs what it costs in the collection itself, as long as nobody keeps the collection of an earlier event.
public final class ObservableCollection<UnderlyingCollection: Collection>:
  ObservableCollectionProtocol, DisposeBagProvider, Sendable
{
  public typealias Element = ObservableCollectionEvent<UnderlyingCollection>
  public typealias Error = Never

  let core: CollectionCore<UnderlyingCollection>

  /// Disposed when the collection goes away.
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

  /// Has all changes that are made while `body` runs, also on other threads, arrive as one event.
  ///
  /// Costs a copy of the collection. Batches nest: the outermost sends.
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
