/// The progress of loading a value.
public enum LoadingState<LoadingValue, LoadingError: Swift.Error>: LoadingStateProtocol {
  case loading
  case loaded(LoadingValue)
  case failed(LoadingError)

  public var asLoadingState: LoadingState<LoadingValue, LoadingError> { self }

  /// This state as an observed state. It doesn't depend on earlier states.
  public var asObservedLoadingState: ObservedLoadingState<LoadingValue, LoadingError> {
    switch self {
    case .loading: .loading
    case .loaded(let value): .loaded(value)
    case .failed(let error): .failed(error)
    }
  }
}

/// The progress of loading a value for an observer that remembers earlier states.
public enum ObservedLoadingState<LoadingValue, LoadingError: Swift.Error>:
  ObservedLoadingStateProtocol
{
  /// Nothing is loaded yet.
  case loading
  /// A value is loaded, and a newer one is being loaded.
  case reloading
  case loaded(LoadingValue)
  case failed(LoadingError)

  /// This state, with reloading mapped to loading.
  public var asLoadingState: LoadingState<LoadingValue, LoadingError> {
    switch self {
    case .loading, .reloading: .loading
    case .loaded(let value): .loaded(value)
    case .failed(let error): .failed(error)
    }
  }

  public var asObservedLoadingState: ObservedLoadingState<LoadingValue, LoadingError> { self }
}

extension LoadingState: Equatable where LoadingValue: Equatable, LoadingError: Equatable {}
extension ObservedLoadingState: Equatable where LoadingValue: Equatable, LoadingError: Equatable {}
extension LoadingState: Sendable where LoadingValue: Sendable {}
extension ObservedLoadingState: Sendable where LoadingValue: Sendable {}

/// A signal of loading states. The signal does not fail: a failure is a state.
public typealias LoadingSignal<LoadingValue, LoadingError: Swift.Error> =
  SafeSignal<LoadingState<LoadingValue, LoadingError>>
