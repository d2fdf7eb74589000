extension SignalProtocol {
  /// Calls the closures as the events pass.
  ///
  /// `receiveOutput` and `receiveCompletion` run before the event is passed on. `receiveCancel`
  /// runs once when the subscription is torn down, which also happens after a terminal event.
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
