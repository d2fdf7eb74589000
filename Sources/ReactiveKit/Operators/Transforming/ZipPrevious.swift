extension SignalProtocol {
  /// Pairs each element with the previous one, which is nil for the first element.
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

  /// Pairs each element with the previous one, starting with the second element.
  ///
  ///     source      --1--2------3--|
  ///     pairwise()  -----(1,2)--(2,3)--|
  @inlinable
  public func pairwise() -> Signal<(Element, Element), Error> {
    zipPrevious().compactMap { previous, element in previous.map { ($0, element) } }
  }
}
