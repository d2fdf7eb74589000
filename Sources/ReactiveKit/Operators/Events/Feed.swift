extension SignalProtocol {
  /// Sends true to `listener` when the subscription begins, and false once when it ends or is
  /// disposed.
  @inlinable
  public func feedActivity<S: SubjectProtocol>(into listener: S) -> Signal<Element, Error>
  where S.Element == Bool {
    handleEvents(
      receiveSubscription: { listener.send(true) },
      receiveCancel: { listener.send(false) })
  }

  /// Sends each element to `listener` before passing it on.
  @inlinable
  public func feedNext<S: SubjectProtocol>(into listener: S) -> Signal<Element, Error>
  where S.Element == Element {
    handleEvents(receiveOutput: { listener.send($0) })
  }

  /// Transforms the elements for which `when` returns true, and sends the results to `listener`.
  /// Passes on each element after that.
  @inlinable
  public func feedNext<S: SubjectProtocol>(
    into listener: S, when: @escaping (Element) -> Bool = { _ in true },
    map: @escaping (Element) -> S.Element
  ) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      self._attach(
        { event in
          if case .next(let element) = event, when(element) {
            // Checked after each call, because both closures are user code, which may dispose.
            if chain.isDisposed { return }
            let fed = map(element)
            if chain.isDisposed { return }
            listener.send(fed)
          }
          if !chain.isDisposed { observer(event) }
        }, to: chain)
    })
  }

  /// Sends the error of a failure to `listener` as an element, before passing on the failure.
  @inlinable
  public func feedError<S: SubjectProtocol>(into listener: S) -> Signal<Element, Error>
  where S.Element == Error {
    handleEvents(receiveCompletion: {
      if case .failure(let error) = $0 { listener.send(error) }
    })
  }
}
