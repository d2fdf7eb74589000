extension SignalProtocol {
  /// Calls the closures as the events pass: before each element and the end go on, and `receiveCancel` once when the
  /// observation is torn down, which is after its terminal event too.
  @inlinable
  public func handleEvents(
    receiveSubscription: (() -> Void)? = nil,
    receiveOutput: ((Element) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Error>) -> Void)? = nil,
    receiveCancel: (() -> Void)? = nil
  ) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      receiveSubscription?()
      if let receiveCancel { chain.attach(disposable: BlockDisposable(receiveCancel)) }
      guard !chain.isDisposed else { return }
      self._attach(
        { event in
          switch event {
          case .next(let element): receiveOutput?(element)
          case .failed(let error): receiveCompletion?(.failure(error))
          case .completed: receiveCompletion?(.finished)
          }
          if !chain.isDisposed { observer(event) }
        }, to: chain)
    })
  }
}
