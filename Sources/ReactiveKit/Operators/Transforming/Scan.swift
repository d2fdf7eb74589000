extension SignalProtocol {
  /// Sends `initial` immediately on subscription, and a new result after each element. The closure
  /// combines the last result with the element.
  ///
  ///     source         ---1--2--3--|
  ///     scan(0, +)     0--1--3--6--|
  @inlinable
  public func scan<U>(_ initial: U, _ nextPartialResult: @escaping (U, Element) -> U)
    -> Signal<U, Error>
  {
    Signal(source: { observer, chain in
      let accumulator = UncheckedBox(initial)
      observer(.next(initial))
      guard !chain.isDisposed else { return }
      self._attach(
        { event in
          switch event {
          case .next(let element):
            let result = nextPartialResult(accumulator.value, element)
            accumulator.value = result
            if !chain.isDisposed { observer(.next(result)) }
          case .failed(let error): observer(.failed(error))
          case .completed: observer(.completed)
          }
        }, to: chain)
    })
  }
}
