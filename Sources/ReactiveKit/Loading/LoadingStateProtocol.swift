/// A loading state of either kind. Extensions use it to require elements that are loading states.
public protocol LoadingStateProtocol {
  associatedtype LoadingValue
  associatedtype LoadingError: Swift.Error

  /// This state without the distinction between loading and reloading.
  var asLoadingState: LoadingState<LoadingValue, LoadingError> { get }
}

extension LoadingStateProtocol {
  /// True while the value is loading, for the first time or again.
  public var isLoading: Bool {
    if case .loading = asLoadingState { return true }
    return false
  }

  /// The value, or nil if the state is not loaded.
  public var value: LoadingValue? {
    if case .loaded(let value) = asLoadingState { return value }
    return nil
  }

  /// The error, or nil if the state is not failed.
  public var error: LoadingError? {
    if case .failed(let error) = asLoadingState { return error }
    return nil
  }

  /// Reports whether both states are loading, both are loaded or both are failed. Ignores the value
  /// and the error.
  public func isSameStateAs<Other: LoadingStateProtocol>(_ other: Other) -> Bool {
    switch (asLoadingState, other.asLoadingState) {
    case (.loading, .loading), (.loaded, .loaded), (.failed, .failed): true
    default: false
    }
  }

  /// Returns this state with a value that the closure transforms.
  public func mapValue<NewValue>(_ transform: (LoadingValue) -> NewValue)
    -> LoadingState<NewValue, LoadingError>
  {
    switch asLoadingState {
    case .loading: .loading
    case .loaded(let value): .loaded(transform(value))
    case .failed(let error): .failed(error)
    }
  }

  /// Returns this state with an error that the closure transforms.
  public func mapError<NewError: Swift.Error>(_ transform: (LoadingError) -> NewError)
    -> LoadingState<LoadingValue, NewError>
  {
    switch asLoadingState {
    case .loading: .loading
    case .loaded(let value): .loaded(value)
    case .failed(let error): .failed(transform(error))
    }
  }
}

/// A loading state that also distinguishes reloading. `ObservedLoadingState` conforms to this
/// protocol.
public protocol ObservedLoadingStateProtocol: LoadingStateProtocol {
  var asObservedLoadingState: ObservedLoadingState<LoadingValue, LoadingError> { get }
}

extension ObservedLoadingStateProtocol {
  /// True while a newer value is being loaded.
  public var isReloading: Bool {
    if case .reloading = asObservedLoadingState { return true }
    return false
  }

  /// Reports whether both states are loading, both are reloading, both are loaded or both are
  /// failed. Ignores the value and the error.
  public func isSameStateAs<Other: ObservedLoadingStateProtocol>(_ other: Other) -> Bool {
    isReloading == other.isReloading && asLoadingState.isSameStateAs(other.asLoadingState)
  }
}
