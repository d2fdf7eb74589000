/// Cancels when it is deallocated, so an observation lives as long as what stores it.
public final class AnyCancellable: Disposable, Hashable, Sendable {
  // Nil once it was cancelled.
  private let disposable: Locked<(any Disposable)?>

  public init(_ cancel: @escaping () -> Void) {
    disposable = Locked(BlockDisposable(cancel))
  }

  public init(_ disposable: any Disposable) {
    self.disposable = Locked(disposable)
  }

  deinit {
    dispose()
  }

  /// Is true once it was cancelled, or once the disposable that it wraps is disposed, as that of an observation that ended is.
  public var isDisposed: Bool {
    // Asked without the lock: it may be code of a user.
    disposable.withLock { $0 }?.isDisposed ?? true
  }

  public func dispose() {
    disposable.withLock { $0.take() }?.dispose()
  }

  public func cancel() {
    dispose()
  }

  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }

  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Two are equal when they are the same object.
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool {
    left === right
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
