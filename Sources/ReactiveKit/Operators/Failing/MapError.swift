extension SignalProtocol {
  /// Fails with what the closure makes of the error.
  @inlinable
  public func mapError<NewError: Swift.Error>(_ transform: @escaping (Error) -> NewError)
    -> Signal<Element, NewError>
  {
    Signal(source: { observer, chain in
      self._attach(
        { event in
          switch event {
          case .next(let element): observer(.next(element))
          case .failed(let error):
            let transformed = transform(error)
            if !chain.isDisposed { observer(.failed(transformed)) }
          case .completed: observer(.completed)
          }
        }, to: chain)
    })
  }
}

extension SignalProtocol where Error == Never {
  /// The same signal, as one that could fail with an error of any type.
  @inlinable
  public func castError<NewError: Swift.Error>() -> Signal<Element, NewError> {
    Signal(source: { observer, chain in
      self._attach(
        { event in
          switch event {
          case .next(let element): observer(.next(element))
          case .completed: observer(.completed)
          }
        }, to: chain)
    })
  }
}
