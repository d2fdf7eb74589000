extension SignalProtocol {
  /// Transforms the error of a failure with the closure.
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
  /// Converts a signal that can't fail to one with any error type.
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
