/// A container for disposables that are disposed together.
public protocol DisposeBagProtocol: Disposable {
  func add(disposable: any Disposable)
}
