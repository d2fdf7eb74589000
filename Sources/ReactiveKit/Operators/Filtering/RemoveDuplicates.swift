extension SignalProtocol {
  /// Sends an element only if it differs from the one sent before it. The closure returns true if
  /// two elements are equal.
  @inlinable
  public func removeDuplicates(by areEqual: @escaping (Element, Element) -> Bool)
    -> Signal<Element, Error>
  {
    Signal(source: { observer, chain in
      let last = UncheckedBox<Element?>(nil)
      self._attach(
        { event in
          if case .next(let element) = event {
            if let last = last.value {
              guard !areEqual(last, element), !chain.isDisposed else { return }
            }
            last.value = element
          }
          observer(event)
        }, to: chain)
    })
  }
}

extension SignalProtocol where Element: Equatable {
  /// Sends an element only if it differs from the one sent before it.
  ///
  ///     source            --1--1--2--2--1--|
  ///     removeDuplicates  --1-----2-----1--|
  @inlinable
  public func removeDuplicates() -> Signal<Element, Error> {
    removeDuplicates(by: ==)
  }
}
