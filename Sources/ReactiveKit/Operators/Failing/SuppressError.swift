extension SignalProtocol {
  /// Replaces a failure with completion.
  ///
  /// If `logging` is true, prints the error and the source location to standard output.
  ///
  ///     source           --1--2--!
  ///     suppressError()  --1--2--|
  public func suppressError(logging: Bool, file: String = #file, line: Int = #line)
    -> Signal<Element, Never>
  {
    flatMapError { error -> Signal<Element, Never> in
      if logging { print("Signal at \(file):\(line) encountered an error: \(error)") }
      return .completed()
    }
  }

  /// Replaces a failure with completion, after sending the error to `listener` as an element.
  public func suppressAndFeedError<S: SubjectProtocol>(
    into listener: S, logging: Bool = true, file: String = #file, line: Int = #line
  ) -> Signal<Element, Never> where S.Element == Error {
    feedError(into: listener).suppressError(logging: logging, file: file, line: line)
  }

  /// Sends the error of a failure as an element, and then completes. Drops the elements of the
  /// source.
  ///
  ///     source           --1--2--!
  ///     toErrorSignal()  --------(e|)
  @inlinable
  public func toErrorSignal() -> Signal<Error, Never> {
    Signal<Error, Never>(source: { observer, chain in
      self._attach(
        { event in
          switch event {
          case .next: return
          case .failed(let error):
            observer(.next(error))
            if chain.isDisposed { return }
          case .completed: break
          }
          observer(.completed)
        }, to: chain)
    })
  }

  /// Splits the signal into a signal of its elements and a signal of its error. Both share one
  /// subscription to the source.
  public func branchOutError() -> (Signal<Element, Never>, Signal<Error, Never>) {
    let shared = share()
    return (shared.suppressError(logging: false), shared.toErrorSignal())
  }

  /// Splits the signal into a signal of its elements and a signal of its error, transformed by the
  /// closure. Both share one subscription to the source.
  public func branchOutError<F>(_ mapError: @escaping (Error) -> F)
    -> (Signal<Element, Never>, Signal<F, Never>)
  {
    let (elements, errors) = branchOutError()
    return (elements, errors.map(mapError))
  }
}
