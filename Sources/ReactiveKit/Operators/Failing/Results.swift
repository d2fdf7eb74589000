/// A protocol for `Result`, so that an extension can require elements that are results.
public protocol _ResultProtocol {
  associatedtype Value
  associatedtype Error: Swift.Error

  /// This value as a `Result`.
  var _unbox: Result<Value, Error> { get }
}

extension Result: _ResultProtocol {
  public typealias Value = Success
  public typealias Error = Failure

  @inlinable
  public var _unbox: Result<Success, Failure> { self }
}

extension SignalProtocol {
  /// Sends elements as successes. Replaces a failure with a final result that contains the error.
  ///
  ///     source         --1--------------!
  ///     mapToResult()  --success(1)-----(failure|)
  @inlinable
  public func mapToResult() -> Signal<Result<Element, Error>, Never> {
    Signal<Result<Element, Error>, Never>(source: { observer, chain in
      self._attach(
        { event in
          switch event {
          case .next(let element): observer(.next(.success(element)))
          case .failed(let error):
            observer(.next(.failure(error)))
            if !chain.isDisposed { observer(.completed) }
          case .completed: observer(.completed)
          }
        }, to: chain)
    })
  }

  /// Sends the values of the results that the closure returns, and fails with the first error. The
  /// failure disposes the source.
  @inlinable
  public func tryMap<U>(_ transform: @escaping (Element) -> Result<U, Error>) -> Signal<U, Error> {
    Signal(source: { observer, chain in
      let hasFailed = UncheckedBox(false)
      let stage = chain.makeStage()
      self._attach(
        { event in
          guard !hasFailed.value else { return }
          switch event {
          case .next(let element):
            let result = transform(element)
            if chain.isDisposed { return }
            switch result {
            case .success(let value): observer(.next(value))
            case .failure(let error):
              hasFailed.value = true
              stage.end()
              if !chain.isDisposed { observer(.failed(error)) }
            }
          case .failed(let error): observer(.failed(error))
          case .completed: observer(.completed)
          }
        }, to: stage)
      stage.didAttach()
    })
  }
}

extension SignalProtocol where Error == Never {
  /// Sends the values of the results that the closure returns, and fails with the first error. The
  /// source itself can't fail.
  @inlinable
  @_disfavoredOverload
  public func tryMap<U, NewError>(_ transform: @escaping (Element) -> Result<U, NewError>)
    -> Signal<U, NewError>
  {
    (castError() as Signal<Element, NewError>).tryMap(transform)
  }
}

extension SignalProtocol where Element: _ResultProtocol {
  /// Transforms the value of each result with the closure. Results that are failures pass through
  /// unchanged.
  @inlinable
  public func mapValue<NewValue>(_ transform: @escaping (Element.Value) -> NewValue)
    -> Signal<Result<NewValue, Element.Error>, Error>
  {
    map { $0._unbox.map(transform) }
  }
}

extension SignalProtocol where Element: _ResultProtocol, Error == Element.Error {
  /// Sends the values of the results, and fails with the first error.
  @inlinable
  public func getValues() -> Signal<Element.Value, Error> {
    tryMap { $0._unbox }
  }
}

extension SignalProtocol where Element: _ResultProtocol, Error == Never {
  /// Sends the values of the results, and fails with the first error.
  @inlinable
  @_disfavoredOverload
  public func getValues() -> Signal<Element.Value, Element.Error> {
    tryMap { $0._unbox }
  }
}
