extension SignalProtocol {
  /// Sends elements until `other` sends an element or a terminal event, and then completes.
  ///
  ///     source  --1--2--3--4--|
  ///     other   -------x------|
  ///     prefix  --1--2-|
  @inlinable
  public func prefix<O: SignalProtocol>(untilOutputFrom other: O) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      let serializer = EventSerializer<Void, Element, Error>((), observer, chain)
      let otherChain = chain.makeChild()
      other._attach(
        { _ in
          serializer.send(.completed)
          otherChain.dispose()
        }, to: otherChain)
      guard !chain.isDisposed, !otherChain.isDisposed else { return }
      self._attach({ event in serializer.send(event) }, to: chain.makeChild())
    })
  }
}
