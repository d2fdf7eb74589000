/// Something that shows how far loading has come: a view with a spinner and a place for errors.
public protocol LoadingStateListener: AnyObject {
  func setLoadingState<LoadingValue, LoadingError>(
    _ state: ObservedLoadingState<LoadingValue, LoadingError>)

  /// Whether signals hold the listener weakly; true unless said otherwise.
  var loadingStateListenerNeedsWeakReference: Bool { get }
}

extension LoadingStateListener {
  public var loadingStateListenerNeedsWeakReference: Bool { true }
}

/// A listener as an operator holds it: weakly or not, as the listener wants it.
struct ListenerReference {
  private weak var weakly: (any LoadingStateListener)?
  private let strongly: (any LoadingStateListener)?

  init(_ listener: any LoadingStateListener) {
    weakly = listener
    strongly = listener.loadingStateListenerNeedsWeakReference ? nil : listener
  }

  var listener: (any LoadingStateListener)? { strongly ?? weakly }
}
