extension SignalProtocol {
  /// Sends only the elements for which the closure returns true.
  ///
  ///     source           --1--2--3--4--|
  ///     filter { even }  -----2-----4--|
  @inlinable
  public func filter(_ isIncluded: @escaping (Element) -> Bool) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      self._attach(
        { event in
          if case .next(let element) = event {
            guard isIncluded(element), !chain.isDisposed else { return }
          }
          observer(event)
        }, to: chain)
    })
  }
}
