/// An array that follows another collection: mapped, filtered or sorted. It observes its source as long as it lives, and
/// completes with it.
public final class DerivedCollection<Member>: ObservableCollectionProtocol, Sendable {
  public typealias UnderlyingCollection = [Member]
  public typealias Element = ObservableCollectionEvent<[Member]>
  public typealias Error = Never

  private let core: CollectionCore<[Member]>
  private let following = SerialDisposable(otherDisposable: nil)

  /// Follows `source`; `follow` makes of each of its events the edit of this collection. It is called serially, and without
  /// a lock; the edit it returns runs under one, and calls no code of a user.
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

  // Observers keep it alive: who observes what was derived wants it to go on following.
  public func _attach(_ observer: @escaping Observer<Element, Never>, to chain: ChainDisposable) {
    core.attach({ [self] event in withExtendedLifetime(self) { observer(event) } }, to: chain)
  }
}
