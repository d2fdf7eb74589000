/// An array that follows another collection: mapped, filtered or sorted. The array observes its
/// source for its whole lifetime and completes when the source completes.
public final class DerivedCollection<Member>: ObservableCollectionProtocol, Sendable {
  public typealias UnderlyingCollection = [Member]
  public typealias Element = ObservableCollectionEvent<[Member]>
  public typealias Error = Never

  private let core: CollectionCore<[Member]>
  private let following = SerialDisposable(otherDisposable: nil)

  /// Creates a collection that follows `source`. `follow` turns each event of the source into an
  /// edit of this collection. `follow` is called serially and without a lock. The edit runs under a
  /// lock and must not call user code.
  init<Source: ObservableCollectionProtocol>(
    following source: Source,
    _ follow: @escaping (Source.Element) -> (inout [Member]) -> CollectionChange<Int>
  ) {
    let core = CollectionCore<[Member]>([]) { old, _, changes in
      Provenance.join(changes, oldCount: old.count)
    }
    self.core = core
    following.otherDisposable = source.observeChain { event in
      switch event {
      case .next(let event):
        let edit = follow(event)
        core.update { array in (edit(&array), ()) }
      case .completed: core.close()
      }
    }
  }

  deinit {
    following.dispose()
    core.close()
  }

  public var collection: [Member] { core.collection }

  public var count: Int { core.collection.count }

  public subscript(index: Int) -> Member { core.collection[index] }

  public func observe(with observer: @escaping Observer<Element, Never>) -> any Disposable {
    observeChain(with: observer)
  }

  // Observers keep the collection alive, because a derived collection must follow its source while
  // it is observed.
  public func _attach(_ observer: @escaping Observer<Element, Never>, to chain: ChainDisposable) {
    core.attach({ [self] event in withExtendedLifetime(self) { observer(event) } }, to: chain)
  }
}
