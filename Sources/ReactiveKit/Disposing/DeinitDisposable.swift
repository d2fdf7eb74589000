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
    set {
      let outdated = other.withLock { other in
        defer { other = newValue }
        return other
      }
      // Freed outside the lock: it may dispose when it goes.
      withExtendedLifetime(outdated) {}
    }
  }

  public var isDisposed: Bool {
    otherDisposable == nil
  }

  public func dispose() {
    other.withLock { $0.take() }?.dispose()
  }
}
