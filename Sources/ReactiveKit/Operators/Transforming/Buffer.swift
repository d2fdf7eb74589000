extension SignalProtocol {
  /// Sends the elements in arrays of `size` elements.
  ///
  /// Drops an array that is not full when the source ends. With a size of less than 1, sends only
  /// the terminal event.
  ///
  ///     source           --1--2--3--4--5--|
  ///     buffer(size: 2)  -----12----34----|
  @inlinable
  public func buffer(size: Int) -> Signal<[Element], Error> {
    guard size > 0 else { return ignoreOutput().map { [$0] } }
    return Signal(source: { observer, chain in
      let batch = UncheckedBox<[Element]>([])
      self._attach(
        { event in
          switch event {
          case .next(let element):
            batch.value.append(element)
            guard batch.value.count == size else { return }
            let full = batch.value
            batch.value = []
            observer(.next(full))
          case .failed(let error): observer(.failed(error))
          case .completed: observer(.completed)
          }
        }, to: chain)
    })
  }

  /// Sends the elements in signals of `size` elements, each once it is full. Drops a signal that is
  /// not full when the source ends.
  @inlinable
  public func window(ofSize size: Int) -> Signal<Signal<Element, Error>, Error> {
    buffer(size: size).map { Signal<Element, Error>(sequence: $0) }
  }
}
