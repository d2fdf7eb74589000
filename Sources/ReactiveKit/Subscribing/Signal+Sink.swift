extension SignalProtocol {
  /// Subscribes with closures, until the result is canceled or deallocated.
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
  /// Subscribes, and calls the closure for each element, until the result is canceled or
  /// deallocated.
  @inlinable
  public func sink(receiveValue: @escaping (Element) -> Void) -> AnyCancellable {
    AnyCancellable(observeNext(with: receiveValue))
  }
}
