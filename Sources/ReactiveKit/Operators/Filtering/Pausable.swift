extension SignalProtocol {
  /// Sends elements while the latest element of `other` is true.
  ///
  /// Until `other` sends an element, its value counts as true. Ends when the source ends.
  ///
  ///     source             --1--2--3--4--5--|
  ///     other              -----f------t----
  ///     pausable(by: other)--1-----------5--|
  @inlinable
  public func pausable<O: SignalProtocol>(by other: O) -> Signal<Element, Error>
  where O.Element == Bool {
    Signal(source: { observer, chain in
      let stage = chain.makeStage()
      defer { stage.didAttach() }
      let serializer = EventSerializer<Bool, Element, Error>(true, observer, chain, stage: stage)
      let otherChain = stage.makeChild()
      other._attach(
        { event in
          switch event {
          case .next(let isOpen): serializer.update { state, _ in state = isOpen }
          case .failed, .completed: otherChain.dispose()
          }
        }, to: otherChain)
      guard !chain.isDisposed else { return }
      let source = stage.makeChild()
      self._attach(
        { event in
          serializer.update { isOpen, emitter in
            if isOpen || event.isTerminal { emitter.send(event) }
          }
          if event.isTerminal {
            source.dispose()
            otherChain.dispose()
          }
        }, to: source)
    })
  }
}
