import Synchronization

/// A disposable that only remembers whether it was disposed.
public final class SimpleDisposable: Disposable, Sendable {
  private let state: Atomic<Bool>

  public init(isDisposed: Bool = false) {
    state = Atomic(isDisposed)
  }

  public func dispose() {
    state.store(true, ordering: .releasing)
  }

  /// Setting it to true is disposing it.
  public var isDisposed: Bool {
    get { state.load(ordering: .acquiring) }
    set { state.store(newValue, ordering: .releasing) }
  }
}
