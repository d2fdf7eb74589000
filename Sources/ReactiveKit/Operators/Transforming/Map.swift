extension SignalProtocol {
  /// Transforms each element with the closure.
  ///
  ///     source         --1--2--3--|
  ///     map { $0 * 2 } --2--4--6--|
  @inlinable
  public func map<U>(_ transform: @escaping (Element) -> U) -> Signal<U, Error> {
    Signal(source: { observer, chain in
      self._attach(
        { event in
          switch event {
          case .next(let element):
            let transformed = transform(element)
            if !chain.isDisposed { observer(.next(transformed)) }
          case .failed(let error): observer(.failed(error))
          case .completed: observer(.completed)
          }
        }, to: chain)
    })
  }
}
