extension SignalProtocol {
  /// Observes until the result is cancelled or goes away.
  @inlinable
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Error>) -> Void,
    receiveValue: @escaping (Element) -> Void
  ) -> AnyCancellable {
    AnyCancellable(
      observeEnd { chain in
        { event in
          guard !chain.isDisposed else { return }
          switch event {
          case .next(let element): return receiveValue(element)
          case .failed(let error): receiveCompletion(.failure(error))
          case .completed: receiveCompletion(.finished)
          }
          chain.dispose()
        }
      })
  }
}

extension SignalProtocol where Error == Never {
  /// Observes elements until the result is cancelled or goes away.
  @inlinable
  public func sink(receiveValue: @escaping (Element) -> Void) -> AnyCancellable {
    AnyCancellable(observeNext(with: receiveValue))
  }
}
