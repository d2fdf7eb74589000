extension SignalProtocol {
  /// Sends elements until `other` sends an element or a terminal event, and then completes.
  ///
  ///     source  --1--2--3--4--|
  ///     other   -------x------|
  ///     prefix  --1--2-|
  @inlinable
  public func prefix<O: SignalProtocol>(untilOutputFrom other: O) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      let stage = chain.makeStage()
      defer { stage.didAttach() }
      let serializer = EventSerializer<Void, Element, Error>((), observer, chain, stage: stage)
      let otherChain = stage.makeChild()
      other._attach(
        { _ in
          serializer.send(.completed)
          otherChain.dispose()
        }, to: otherChain)
      guard !chain.isDisposed, !otherChain.isDisposed else { return }
      self._attach({ event in serializer.send(event) }, to: stage.makeChild())
    })
  }
}
