/// A disposable with nothing to dispose.
public struct NonDisposable: Disposable, Sendable {
  public static let instance = NonDisposable()

  init() {}

  public func dispose() {}

  /// Always false.
  public var isDisposed: Bool { false }
}
