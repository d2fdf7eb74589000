extension SignalProtocol {
  /// Transforms each element with the closure, and drops results that are nil.
  ///
  ///     source               --1--x--3--|
  ///     compactMap(Int.init) --1-----3--|
  @inlinable
  public func compactMap<U>(_ transform: @escaping (Element) -> U?) -> Signal<U, Error> {
    Signal(source: { observer, chain in
      self._attach(
        { event in
          switch event {
          case .next(let element):
            guard let transformed = transform(element), !chain.isDisposed else { return }
            observer(.next(transformed))
          case .failed(let error): observer(.failed(error))
          case .completed: observer(.completed)
          }
        }, to: chain)
    })
  }
}
