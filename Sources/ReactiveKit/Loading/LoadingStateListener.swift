/// An object that shows the progress of loading, such as a view with a spinner and an area for
/// errors.
public protocol LoadingStateListener: AnyObject {
  func setLoadingState<LoadingValue, LoadingError>(
    _ state: ObservedLoadingState<LoadingValue, LoadingError>)

  /// A Boolean value that indicates whether signals hold the listener weakly. The default is true.
  var loadingStateListenerNeedsWeakReference: Bool { get }
}

extension LoadingStateListener {
  public var loadingStateListenerNeedsWeakReference: Bool { true }
}

/// An operator's reference to a listener, weak or strong as the listener requests.
struct ListenerReference {
  private weak var weakly: (any LoadingStateListener)?
  private let strongly: (any LoadingStateListener)?

  init(_ listener: any LoadingStateListener) {
    weakly = listener
    strongly = listener.loadingStateListenerNeedsWeakReference ? nil : listener
  }

  var listener: (any LoadingStateListener)? { strongly ?? weakly }
}
