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

extension ObservedLoadingStateProtocol {
  public var isReloading: Bool {
    if case .reloading = asObservedLoadingState { return true }
    return false
  }
}

extension ObservedLoadingState {
  public var isLoading: Bool {
    if case .loading = self { return true }
    return false
  }

  /// The value where it is loaded.
  public var value: LoadingValue? {
    if case .loaded(let value) = self { return value }
    return nil
  }

  /// The error where loading has failed.
  public var error: LoadingError? {
    if case .failed(let error) = self { return error }
    return nil
  }

  /// Whether both are loading, reloading, loaded or failed, whatever the value or the error.
  public func isSameStateAs<V, E>(_ other: ObservedLoadingState<V, E>) -> Bool {
    switch (self, other) {
    case (.loading, .loading), (.reloading, .reloading), (.loaded, .loaded), (.failed, .failed):
      true
    default: false
    }
  }
}
