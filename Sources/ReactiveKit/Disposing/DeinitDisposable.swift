/// A disposable that disposes another disposable when it is disposed or deallocated.
public final class DeinitDisposable: Disposable, Sendable {
  private let other: Locked<(any Disposable)?>

  public init(disposable: any Disposable) {
    other = Locked(disposable)
  }

  deinit {
    dispose()
  }

  /// The disposable that is disposed with this one, or nil after disposal.
  public var otherDisposable: (any Disposable)? {
    get { other.withLock { $0 } }
    set {
      let outdated = other.withLock { other in
        defer { other = newValue }
        return other
      }
      // Freed outside the lock, because a disposable can run disposal code when it is freed.
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

extension DeinitDisposable: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("other", (any Disposable)?.self)] }
}
