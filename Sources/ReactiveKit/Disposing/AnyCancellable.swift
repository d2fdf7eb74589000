/// Cancels when it is deallocated, so an observation lives as long as what stores it.
public final class AnyCancellable: Disposable, Hashable, Sendable {
  private let block: BlockDisposable

  public init(_ cancel: @escaping () -> Void) {
    block = BlockDisposable(cancel)
  }

  public convenience init(_ disposable: any Disposable) {
    self.init(disposable.dispose)
  }

  deinit {
    block.dispose()
  }

  public var isDisposed: Bool { block.isDisposed }

  public func dispose() {
    block.dispose()
  }

  public func cancel() {
    block.dispose()
  }

  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }

  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Two are equal when they are the same object.
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool {
    left === right
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
