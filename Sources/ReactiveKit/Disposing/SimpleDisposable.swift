import Synchronization

/// A disposable that only records whether it is disposed.
public final class SimpleDisposable: Disposable, Sendable {
  private let state: Atomic<Bool>

  public init(isDisposed: Bool = false) {
    state = Atomic(isDisposed)
  }

  public func dispose() {
    state.store(true, ordering: .releasing)
  }

  /// A Boolean value that indicates whether this disposable is disposed. Setting it to true
  /// disposes this disposable.
  public var isDisposed: Bool {
    get { state.load(ordering: .acquiring) }
    set { state.store(newValue, ordering: .releasing) }
  }
}
