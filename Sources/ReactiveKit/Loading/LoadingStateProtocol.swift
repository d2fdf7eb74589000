/// What `LoadingState` conforms to, so that an extension can ask for elements that are loading states.
public protocol LoadingStateProtocol {
  associatedtype LoadingValue
  associatedtype LoadingError: Swift.Error

  var asLoadingState: LoadingState<LoadingValue, LoadingError> { get }
}

extension LoadingStateProtocol {
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

/// What both kinds of loading state conform to.
public protocol ObservedLoadingStateProtocol {
  associatedtype LoadingValue
  associatedtype LoadingError: Swift.Error

  var asObservedLoadingState: ObservedLoadingState<LoadingValue, LoadingError> { get }
}

// `LoadingState` conforms to both protocols; where both have a member, that of `LoadingStateProtocol` is chosen.
extension ObservedLoadingStateProtocol {
  public var isReloading: Bool {
    if case .reloading = asObservedLoadingState { return true }
    return false
  }

  @_disfavoredOverload
  public var isLoading: Bool {
    if case .loading = asObservedLoadingState { return true }
    return false
  }

  /// The value where it is loaded.
  @_disfavoredOverload
  public var value: LoadingValue? {
    if case .loaded(let value) = asObservedLoadingState { return value }
    return nil
  }

  /// The error where loading has failed.
  @_disfavoredOverload
  public var error: LoadingError? {
    if case .failed(let error) = asObservedLoadingState { return error }
    return nil
  }

  /// Whether both are loading, reloading, loaded or failed, whatever the value or the error.
  @_disfavoredOverload
  public func isSameStateAs<Other: ObservedLoadingStateProtocol>(_ other: Other) -> Bool {
    switch (asObservedLoadingState, other.asObservedLoadingState) {
    case (.loading, .loading), (.reloading, .reloading), (.loaded, .loaded), (.failed, .failed):
      true
    default: false
    }
  }
}
