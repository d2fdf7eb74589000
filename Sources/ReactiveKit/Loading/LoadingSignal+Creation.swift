extension SignalProtocol where Element: LoadingStateProtocol, Error == Never {
  public typealias LoadingValue = Element.LoadingValue
  public typealias LoadingError = Element.LoadingError

  /// Sends `.loading` and completes.
  public static func loading() -> LoadingSignal<LoadingValue, LoadingError> {
    Signal(just: .loading)
  }

  /// Sends the value as loaded and completes.
  public static func loaded(_ value: LoadingValue) -> LoadingSignal<LoadingValue, LoadingError> {
    Signal(just: .loaded(value))
  }

  /// Sends the error as the state `.failed` and completes.
  public static func failed(_ error: LoadingError) -> LoadingSignal<LoadingValue, LoadingError> {
    Signal(just: .failed(error))
  }
}

extension SignalProtocol {
  /// Sends `.loading` at once, each element as loaded, and a failure as the state `.failed`, after which it completes.
  ///
  ///     source             ----1------!
  ///     toLoadingSignal()  l---1------(failed|)
  public func toLoadingSignal() -> LoadingSignal<Element, Error> {
    mapToLoadingState().prepend(.loading)
  }

  /// Makes loading states of a signal, without `.loading` at the beginning.
  func mapToLoadingState() -> LoadingSignal<Element, Error> {
    mapToResult().map { result in
      switch result {
      case .success(let value): LoadingState.loaded(value)
      case .failure(let error): LoadingState.failed(error)
      }
    }
  }
}
