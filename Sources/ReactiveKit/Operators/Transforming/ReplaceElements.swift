extension SignalProtocol {
  /// Replaces each element with `element`.
  @inlinable
  public func replaceElements<U>(with element: U) -> Signal<U, Error> {
    map { _ in element }
  }

  /// Replaces each element with an empty tuple, which indicates only that something happened.
  @inlinable
  public func eraseType() -> Signal<Void, Error> {
    replaceElements(with: ())
  }

  /// Sends `element` if the source completes without an element, and then completes.
  ///
  ///     source                 -----|
  ///     replaceEmpty(with: 1)  -----(1|)
  @inlinable
  public func replaceEmpty(with element: Element) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      let isEmpty = UncheckedBox(true)
      self._attach(
        { event in
          switch event {
          case .next: isEmpty.value = false
          case .failed: break
          case .completed:
            guard isEmpty.value else { break }
            observer(.next(element))
            if chain.isDisposed { return }
          }
          observer(event)
        }, to: chain)
    })
  }
}
