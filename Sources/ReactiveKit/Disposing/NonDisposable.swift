/// A disposable with nothing to dispose.
public struct NonDisposable: Disposable, Sendable {
  public static let instance: any Disposable & Sendable = NonDisposable()

  init() {}

  public func dispose() {}

  /// Always false.
  public var isDisposed: Bool { false }
}
