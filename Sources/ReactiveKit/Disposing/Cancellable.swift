/// Work that can be canceled.
public protocol Cancellable {
  func cancel()
}
