/// A handle that ends a subscription.
///
/// Disposing is idempotent and can happen on any thread. After `dispose()` returns, no event
/// *starts* on that subscription. An event that another thread has begun to deliver can still be
/// running, because waiting for it could deadlock.
///
/// A disposable can be passed to another thread, actor or task, so it is `Sendable`.
@preconcurrency
public protocol Disposable: Cancellable, Sendable {
  func dispose()

  var isDisposed: Bool { get }
}

extension Disposable {
  /// Ends the subscription by calling `dispose()`.
  public func cancel() {
    dispose()
  }

  /// Adds this disposable to a bag. Disposing the bag disposes it.
  public func dispose(in bag: any DisposeBagProtocol) {
    bag.add(disposable: self)
  }

  /// Adds this disposable to a bag. Disposing the bag disposes it.
  public func store(in bag: any DisposeBagProtocol) {
    bag.add(disposable: self)
  }

  /// Stores this disposable in a set. Removing it from the set or deallocating the set disposes it.
  public func store(in set: inout Set<AnyCancellable>) {
    AnyCancellable(self).store(in: &set)
  }

  /// Stores this disposable in a collection. Removing it from the collection or deallocating the
  /// collection disposes it.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }
}
