/// What an observation returns: the means to end it.
///
/// Disposing is idempotent and may be done from any thread. Once `dispose()` has returned no event *starts* on that
/// observation; one that another thread had begun to deliver may still be running, because waiting for it could deadlock.
public protocol Disposable: Cancellable {
  func dispose()

  var isDisposed: Bool { get }
}

extension Disposable {
  /// The same as `dispose()`.
  public func cancel() {
    dispose()
  }

  /// Puts this disposable into a bag, to be disposed with it.
  public func dispose(in bag: any DisposeBagProtocol) {
    bag.add(disposable: self)
  }

  /// Puts this disposable into a bag, to be disposed with it.
  public func store(in bag: any DisposeBagProtocol) {
    bag.add(disposable: self)
  }

  /// Stores this disposable in a set; it is disposed when it is removed from it or the set goes away.
  public func store(in set: inout Set<AnyCancellable>) {
    AnyCancellable(self).store(in: &set)
  }

  /// Stores this disposable in a collection; it is disposed when it is removed from it or the collection goes away.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }
}
