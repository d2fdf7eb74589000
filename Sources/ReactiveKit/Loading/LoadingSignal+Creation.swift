extension SignalProtocol where Element: LoadingStateProtocol, Error == Never {
  public typealias LoadingValue = Element.LoadingValue
  public typealias LoadingError = Element.LoadingError

  /// Returns a signal that sends `.loading` and completes.
  public static func loading() -> LoadingSignal<LoadingValue, LoadingError> {
    Signal(just: .loading)
  }

  /// Returns a signal that sends the value as loaded and completes.
  public static func loaded(_ value: LoadingValue) -> LoadingSignal<LoadingValue, LoadingError> {
    Signal(just: .loaded(value))
  }

  /// Returns a signal that sends the error as the state `.failed` and completes.
  public static func failed(_ error: LoadingError) -> LoadingSignal<LoadingValue, LoadingError> {
    Signal(just: .failed(error))
  }
}

extension SignalProtocol {
  /// Returns a signal that sends `.loading` immediately, and each element as loaded. If this signal
  /// fails, the result sends the error as the state `.failed` and completes.
  ///
  ///     source             ----1------!
  ///     toLoadingSignal()  l---1------(failed|)
  public func toLoadingSignal() -> LoadingSignal<Element, Error> {
    mapToLoadingState().prepend(.loading)
  }

  /// Returns a signal of loading states without `.loading` at the start.
  func mapToLoadingState() -> LoadingSignal<Element, Error> {
    mapToResult().map { result in
      switch result {
      case .success(let value): LoadingState.loaded(value)
      case .failure(let error): LoadingState.failed(error)
      }
    }
  }
}
