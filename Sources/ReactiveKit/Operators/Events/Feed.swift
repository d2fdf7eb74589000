extension SignalProtocol {
  /// Sends true to the listener when the observation begins, and false once when it is torn down: by its end or by
  /// disposal.
  @inlinable
  public func feedActivity<S: SubjectProtocol>(into listener: S) -> Signal<Element, Error>
  where S.Element == Bool {
    handleEvents(
      receiveSubscription: { listener.send(true) },
      receiveCancel: { listener.send(false) })
  }

  /// Sends each element to the listener too, before it goes on.
  @inlinable
  public func feedNext<S: SubjectProtocol>(into listener: S) -> Signal<Element, Error>
  where S.Element == Element {
    handleEvents(receiveOutput: { listener.send($0) })
  }

  /// Sends the listener what `map` makes of the elements for which `when` answers true, before they go on.
  @inlinable
  public func feedNext<S: SubjectProtocol>(
    into listener: S, when: @escaping (Element) -> Bool = { _ in true },
    map: @escaping (Element) -> S.Element
  ) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      self._attach(
        { event in
          if case .next(let element) = event, when(element) {
            // Asked after each: both are code of a user, which may dispose.
            if chain.isDisposed { return }
            let fed = map(element)
            if chain.isDisposed { return }
            listener.send(fed)
          }
          if !chain.isDisposed { observer(event) }
        }, to: chain)
    })
  }

  /// Sends the error to the listener as an element too, before the failure goes on.
  @inlinable
  public func feedError<S: SubjectProtocol>(into listener: S) -> Signal<Element, Error>
  where S.Element == Error {
    handleEvents(receiveCompletion: {
      if case .failure(let error) = $0 { listener.send(error) }
    })
  }
}
