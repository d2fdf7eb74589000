/// A disposable with nothing to dispose.
public struct NonDisposable: Disposable, Sendable {
  public static let instance = NonDisposable()

  init() {}

  public func dispose() {}

  /// The disposal state, which is always false.
  public var isDisposed: Bool { false }
}
