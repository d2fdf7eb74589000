extension SignalProtocol where Element: Sequence {
  /// Transforms the elements of each sequence with the closure, and sends the results as an array.
  @inlinable
  public func mapElement<NewElement>(
    _ transform: @escaping (Element.Iterator.Element) -> NewElement
  ) -> Signal<[NewElement], Error> {
    Signal(source: { observer, chain in
      self._attach(
        { event in
          switch event {
          case .next(let elements):
            var mapped: [NewElement] = []
            mapped.reserveCapacity(elements.underestimatedCount)
            // The iterator and `transform` are both user code, which may dispose.
            for element in elements {
              if chain.isDisposed { return }
              mapped.append(transform(element))
            }
            if !chain.isDisposed { observer(.next(mapped)) }
          case .failed(let error): observer(.failed(error))
          case .completed: observer(.completed)
          }
        }, to: chain)
    })
  }

  /// Sends the elements of each sequence one after another.
  @inlinable
  public func flattenElements() -> Signal<Element.Iterator.Element, Error> {
    sendingEach { $0 }
  }
}

extension SignalProtocol {
  /// Transforms each element into an array, and sends the elements of the arrays one after another.
  @inlinable
  public func flatMap<NewElement>(_ transform: @escaping (Element) -> [NewElement])
    -> Signal<NewElement, Error>
  {
    sendingEach(transform)
  }

  @inlinable
  func sendingEach<Elements: Sequence>(_ transform: @escaping (Element) -> Elements)
    -> Signal<Elements.Element, Error>
  {
    Signal(source: { observer, chain in
      self._attach(
        { event in
          switch event {
          case .next(let element):
            // `transform` and the iterator are both user code, which may dispose.
            var elements = transform(element).makeIterator()
            while !chain.isDisposed, let inner = elements.next(), !chain.isDisposed {
              observer(.next(inner))
            }
          case .failed(let error): observer(.failed(error))
          case .completed: observer(.completed)
          }
        }, to: chain)
    })
  }
}
