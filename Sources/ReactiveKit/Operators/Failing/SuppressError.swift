extension SignalProtocol {
  /// Completes where the source fails.
  ///
  /// With `logging` the error is printed to standard output, with the place in the source.
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

  /// Completes where the source fails, after sending the error to the listener as an element.
  public func suppressAndFeedError<S: SubjectProtocol>(
    into listener: S, logging: Bool = true, file: String = #file, line: Int = #line
  ) -> Signal<Element, Never> where S.Element == Error {
    feedError(into: listener).suppressError(logging: logging, file: file, line: line)
  }

  /// Sends the error as an element where the source fails, and completes; elements are left out.
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

  /// A signal of the elements and one of the error, over one shared observation of the source.
  public func branchOutError() -> (Signal<Element, Never>, Signal<Error, Never>) {
    let shared = share()
    return (shared.suppressError(logging: false), shared.toErrorSignal())
  }

  /// A signal of the elements and one of what the closure makes of the error, over one shared observation of the source.
  public func branchOutError<F>(_ mapError: @escaping (Error) -> F)
    -> (Signal<Element, Never>, Signal<F, Never>)
  {
    let (elements, errors) = branchOutError()
    return (elements, errors.map(mapError))
  }
}
