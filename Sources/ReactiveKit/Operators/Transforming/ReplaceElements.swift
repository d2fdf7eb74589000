extension SignalProtocol {
  /// Sends `element` in place of each element.
  @inlinable
  public func replaceElements<U>(with element: U) -> Signal<U, Error> {
    map { _ in element }
  }

  /// Sends an empty tuple in place of each element: only that something happened, not what.
  @inlinable
  public func eraseType() -> Signal<Void, Error> {
    replaceElements(with: ())
  }

  /// Sends `element` and completes where the source completes without an element.
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
