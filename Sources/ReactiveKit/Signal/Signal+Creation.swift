extension Signal {
  /// Sends one element and completes.
  ///
  ///     Signal(just: 1)  (1|)
  @inlinable
  public init(just element: Element) {
    self.init(source: { observer, chain in
      observer(.next(element))
      if !chain.isDisposed { observer(.completed) }
    })
  }

  /// Sends what the closure returns, called anew for each observation, and completes.
  @inlinable
  public init(evaluating body: @escaping () -> Result<Element, Error>) {
    self.init(deferring: { Signal(result: body()) })
  }

  /// Sends what the closure returns, called anew for each observation, and completes.
  @inlinable
  public init(performing body: @escaping () -> Element) {
    self.init(deferring: { Signal(just: body()) })
  }

  /// Sends the value of the result and completes, or fails with its error.
  @inlinable
  public init(result: Result<Element, Error>) {
    switch result {
    case .success(let element): self.init(just: element)
    case .failure(let error): self = .failed(error)
    }
  }

  /// Makes the signal to observe anew for each observation.
  @inlinable
  public init<Other: SignalProtocol>(deferring makeSignal: @escaping () -> Other)
  where Other.Element == Element, Other.Error == Error {
    self.init(source: { observer, chain in
      let signal = makeSignal()
      if !chain.isDisposed { signal._attach(observer, to: chain) }
    })
  }

  /// Sends the elements of a sequence and completes.
  ///
  /// The sequence is iterated on the observing thread, and no further than the observation lives, so that
  /// an infinite one with `prefix(maxLength:)` ends.
  ///
  ///     Signal(sequence: 1...3)  (123|)
  @inlinable
  public init<S: Sequence>(sequence: S) where S.Element == Element {
    self.init(source: { observer, chain in
      var iterator = sequence.makeIterator()
      while !chain.isDisposed {
        let next = iterator.next()
        // Asked again: the iterator is code of a user.
        if chain.isDisposed { return }
        guard let element = next else { return observer(.completed) }
        observer(.next(element))
      }
    })
  }

  /// Completes at once.
  @inlinable
  public static func completed() -> Signal<Element, Error> {
    Signal(source: { observer, _ in observer(.completed) })
  }

  /// Fails at once.
  @inlinable
  public static func failed(_ error: Error) -> Signal<Element, Error> {
    Signal(source: { observer, _ in observer(.failed(error)) })
  }

  /// Never sends anything.
  @inlinable
  public static func never() -> Signal<Element, Error> {
    Signal(source: { _, _ in })
  }
}

extension Signal where Error == any Swift.Error {
  /// Sends what the closure returns, called anew for each observation, and completes; fails with what it throws.
  @inlinable
  public init(catching body: @escaping () throws -> Element) {
    self.init(evaluating: { Result(catching: body) })
  }
}
