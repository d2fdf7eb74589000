extension SignalProtocol {
  /// Continues with another signal when this signal fails.
  ///
  ///     source                      --1--!
  ///     flatMapError { "--8--9--|"} --1----8--9--|
  @inlinable
  public func flatMapError<O: SignalProtocol>(_ recover: @escaping (Error) -> O)
    -> Signal<Element, O.Error> where O.Element == Element
  {
    Signal(source: { observer, chain in
      let slot = ChainSlot(of: chain)
      self._attach(
        { event in
          switch event {
          case .next(let element): observer(.next(element))
          case .completed: observer(.completed)
          case .failed(let error):
            let next = slot.renew()
            if !next.isDisposed { recover(error)._attach(observer, to: next) }
          }
        }, to: slot.renew())
    })
  }

  /// Replaces a failure with an element, and then completes.
  @inlinable
  public func replaceError(with element: Element) -> Signal<Element, Never> {
    flatMapError { _ in Signal<Element, Never>(just: element) }
  }
}
