/// A loading state of either kind, so that an extension can ask for elements that are loading states.
public protocol LoadingStateProtocol {
  associatedtype LoadingValue
  associatedtype LoadingError: Swift.Error

  /// This state as one that does not tell reloading from loading.
  var asLoadingState: LoadingState<LoadingValue, LoadingError> { get }
}

extension LoadingStateProtocol {
  /// Is true while the value is loading, for the first time or again.
  public var isLoading: Bool {
    if case .loading = asLoadingState { return true }
    return false
  }

  /// The value where it is loaded.
  public var value: LoadingValue? {
    if case .loaded(let value) = asLoadingState { return value }
    return nil
  }

  /// The error where loading has failed.
  public var error: LoadingError? {
    if case .failed(let error) = asLoadingState { return error }
    return nil
  }

  /// Whether both are loading, both loaded or both failed, whatever the value or the error.
  public func isSameStateAs<Other: LoadingStateProtocol>(_ other: Other) -> Bool {
    switch (asLoadingState, other.asLoadingState) {
    case (.loading, .loading), (.loaded, .loaded), (.failed, .failed): true
    default: false
    }
  }

  /// This state with what the closure makes of the value.
  public func mapValue<NewValue>(_ transform: (LoadingValue) -> NewValue)
    -> LoadingState<NewValue, LoadingError>
  {
    switch asLoadingState {
    case .loading: .loading
    case .loaded(let value): .loaded(transform(value))
    case .failed(let error): .failed(error)
    }
  }

  /// This state with what the closure makes of the error.
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

/// A loading state that also knows when it reloads: `ObservedLoadingState` conforms to it.
public protocol ObservedLoadingStateProtocol: LoadingStateProtocol {
  var asObservedLoadingState: ObservedLoadingState<LoadingValue, LoadingError> { get }
}

extension ObservedLoadingStateProtocol {
  /// Is true while a newer value is on its way.
  public var isReloading: Bool {
    if case .reloading = asObservedLoadingState { return true }
    return false
  }

  /// Whether both are loading, reloading, loaded or failed, whatever the value or the error.
  public func isSameStateAs<Other: ObservedLoadingStateProtocol>(_ other: Other) -> Bool {
    isReloading == other.isReloading && asLoadingState.isSameStateAs(other.asLoadingState)
  }
}
