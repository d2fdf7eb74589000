/// Work that can be canceled.
public protocol Cancellable {
  func cancel()
}

/// A disposable that cancels when it is deallocated. A subscription therefore lives as long as the
/// object that stores it.
public final class AnyCancellable: Disposable, Hashable, Sendable {
  // Nil after cancellation.
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

  /// A Boolean value that indicates whether this object is canceled or the wrapped disposable is
  /// disposed. A subscription that has ended counts as disposed.
  public var isDisposed: Bool {
    // Checked without the lock, because `isDisposed` can run user code.
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

  /// Reports whether both operands are the same object.
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool {
    left === right
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

extension AnyCancellable: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("disposable", (any Disposable)?.self)] }
}
