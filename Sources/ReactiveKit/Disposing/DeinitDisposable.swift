/// Disposes another disposable when it is disposed itself, or when it is deallocated.
public final class DeinitDisposable: Disposable, Sendable {
  private let other: Locked<(any Disposable)?>

  public init(disposable: any Disposable) {
    other = Locked(disposable)
  }

  deinit {
    dispose()
  }

  /// What is disposed with this one; nil once that has happened.
  public var otherDisposable: (any Disposable)? {
    get { other.withLock { $0 } }
    set { other.withLock { $0 = newValue } }
  }

  public var isDisposed: Bool {
    otherDisposable == nil
  }

  public func dispose() {
    other.withLock { $0.take() }?.dispose()
  }
}
