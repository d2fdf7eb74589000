extension SignalProtocol {
  /// Sends each element with the one before it, which is nil for the first.
  ///
  ///     source         --1-------2-------3--|
  ///     zipPrevious()  --(nil,1)-(1,2)---(2,3)--|
  @inlinable
  public func zipPrevious() -> Signal<(Element?, Element), Error> {
    Signal(source: { observer, chain in
      let previous = UncheckedBox<Element?>(nil)
      self._attach(
        { event in
          switch event {
          case .next(let element):
            let pair = (previous.value, element)
            previous.value = element
            observer(.next(pair))
          case .failed(let error): observer(.failed(error))
          case .completed: observer(.completed)
          }
        }, to: chain)
    })
  }

  /// Sends each element with the one before it, from the second element on.
  ///
  ///     source      --1--2------3--|
  ///     pairwise()  -----(1,2)--(2,3)--|
  @inlinable
  public func pairwise() -> Signal<(Element, Element), Error> {
    zipPrevious().compactMap { previous, element in previous.map { ($0, element) } }
  }
}
