extension SignalProtocol {
  /// Combines all elements into one result, and sends it when the source completes. For an empty
  /// source, the result is `initial`.
  ///
  ///     source        --1--2--3--|
  ///     reduce(0, +)  -----------(6|)
  @inlinable
  public func reduce<U>(_ initial: U, _ nextPartialResult: @escaping (U, Element) -> U)
    -> Signal<U, Error>
  {
    reduce(into: initial) { $0 = nextPartialResult($0, $1) }
  }

  /// Combines all elements into one result that is changed in place, so that a growing result is
  /// not copied for each element.
  @inlinable
  package func reduce<U>(
    into initial: U, _ update: @escaping (inout U, Element) -> Void
  ) -> Signal<U, Error> {
    Signal(source: { observer, chain in
      let result = UncheckedBox(initial)
      self._attach(
        { event in
          switch event {
          case .next(let element): update(&result.value, element)
          case .failed(let error): observer(.failed(error))
          case .completed:
            observer(.next(result.value))
            if !chain.isDisposed { observer(.completed) }
          }
        }, to: chain)
    })
  }

  /// Sends all elements as one array when the source completes. Sends no elements when it fails.
  ///
  ///     source     --1--2--|
  ///     collect()  --------([1, 2]|)
  @inlinable
  public func collect() -> Signal<[Element], Error> {
    reduce(into: []) { $0.append($1) }
  }
}
