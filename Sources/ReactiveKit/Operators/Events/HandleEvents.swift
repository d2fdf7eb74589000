extension SignalProtocol {
  /// Calls the closures as the events pass.
  ///
  /// `receiveOutput` and `receiveCompletion` run before the event is passed on. `receiveCancel`
  /// runs once when the subscription is torn down: when it is disposed, or before its terminal
  /// event is passed on. If the source ends while it is being observed, `receiveCancel` runs after
  /// that.
  @inlinable
  public func handleEvents(
    receiveSubscription: (() -> Void)? = nil,
    receiveOutput: ((Element) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Error>) -> Void)? = nil,
    receiveCancel: (() -> Void)? = nil
  ) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      receiveSubscription?()
      let stage = receiveCancel == nil ? chain : chain.makeStage()
      let cancellation = receiveCancel.map { BlockDisposable($0) }
      if !chain.isDisposed {
        self._attach(
          { event in
            switch event {
            case .next(let element): receiveOutput?(element)
            case .failed(let error): receiveCompletion?(.failure(error))
            case .completed: receiveCompletion?(.finished)
            }
            if let cancellation, event.isTerminal, stage.end() { cancellation.dispose() }
            if !chain.isDisposed { observer(event) }
          }, to: stage)
      }
      guard let cancellation else { return }
      // After the stage, so that disposal releases upstream resources first.
      chain.attach(disposable: cancellation)
      if stage.didAttach() { cancellation.dispose() }
    })
  }
}
