/// A type whose value can follow a signal.
public protocol BindableProtocol {
  associatedtype Element

  /// Follows the signal until the result is disposed or the bindable is deallocated.
  func bind(signal: Signal<Element, Never>) -> any Disposable
}
