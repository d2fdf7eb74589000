/// A disposable that runs a block once, on the thread that disposes first. The block is freed after
/// it runs.
public final class BlockDisposable: Disposable, Sendable {
  private let handler: Locked<(() -> Void)?>

  public init(_ handler: @escaping () -> Void) {
    self.handler = Locked(handler)
  }

  public var isDisposed: Bool {
    handler.withLock { $0 == nil }
  }

  public func dispose() {
    handler.withLock { $0.take() }?()
  }
}

extension BlockDisposable: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("handler", (() -> Void)?.self)] }
}
