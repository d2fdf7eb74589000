/// A disposable that runs a block once, on the thread that disposes first. The block is freed after
/// it runs.
public final class BlockDisposable: Disposable, Sendable {
  // Swift 6.2 can't optimize a lock with a function.
  fileprivate struct Handler { let call: () -> Void }
  private let handler: Locked<Handler?>

  public init(_ handler: @escaping () -> Void) {
    self.handler = Locked(Handler(call: handler))
  }

  public var isDisposed: Bool {
    handler.withLock { $0 == nil }
  }

  public func dispose() {
    handler.withLock { $0.take() }?.call()
  }
}

extension BlockDisposable: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("handler", Handler?.self)] }
}
