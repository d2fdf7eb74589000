/// Work that can be called off.
public protocol Cancellable {
  func cancel()
}
