extension Signal {
  /// Creates a signal that sends one element and completes.
  ///
  ///     Signal(just: 1)  (1|)
  @inlinable
  public init(just element: Element) {
    self.init(source: { observer, chain in
      observer(.next(element))
      if !chain.isDisposed { observer(.completed) }
    })
  }

  /// Creates a signal that calls the closure for each subscription. The signal sends the value of
  /// the result and completes, or fails with the error of the result.
  @inlinable
  public init(evaluating body: @escaping () -> Result<Element, Error>) {
    self.init(deferring: { Signal(result: body()) })
  }

  /// Creates a signal that calls the closure for each subscription, sends the returned element and
  /// completes.
  @inlinable
  public init(performing body: @escaping () -> Element) {
    self.init(deferring: { Signal(just: body()) })
  }

  /// Creates a signal that sends the value of the result and completes, or fails with its error.
  @inlinable
  public init(result: Result<Element, Error>) {
    switch result {
    case .success(let element): self.init(just: element)
    case .failure(let error): self = .failed(error)
    }
  }

  /// Creates a signal that calls the closure for each subscription and observes the signal that the
  /// closure returns.
  @inlinable
  public init<Other: SignalProtocol>(deferring makeSignal: @escaping () -> Other)
  where Other.Element == Element, Other.Error == Error {
    self.init(source: { observer, chain in
      let signal = makeSignal()
      if !chain.isDisposed { signal._attach(observer, to: chain) }
    })
  }

  /// Creates a signal that sends the elements of a sequence and completes.
  ///
  /// The sequence is iterated on the observing thread. Iteration stops when the subscription ends,
  /// so an infinite sequence with `prefix(maxLength:)` ends.
  ///
  ///     Signal(sequence: 1...3)  (123|)
  @inlinable
  public init<S: Sequence>(sequence: S) where S.Element == Element {
    self.init(source: { observer, chain in
      var iterator = sequence.makeIterator()
      while !chain.isDisposed {
        let next = iterator.next()
        // Checked again, because the iterator is user code.
        if chain.isDisposed { return }
        guard let element = next else { return observer(.completed) }
        observer(.next(element))
      }
    })
  }

  /// Returns a signal that completes immediately.
  @inlinable
  public static func completed() -> Signal<Element, Error> {
    Signal(source: { observer, _ in observer(.completed) })
  }

  /// Returns a signal that fails immediately.
  @inlinable
  public static func failed(_ error: Error) -> Signal<Element, Error> {
    Signal(source: { observer, _ in observer(.failed(error)) })
  }

  /// Returns a signal that never sends anything.
  @inlinable
  public static func never() -> Signal<Element, Error> {
    Signal(source: { _, _ in })
  }
}

extension Signal where Error == any Swift.Error {
  /// Creates a signal that calls the closure for each subscription. The signal sends the returned
  /// element and completes, or fails with the error that the closure throws.
  @inlinable
  public init(catching body: @escaping () throws -> Element) {
    self.init(evaluating: { Result(catching: body) })
  }
}
