extension SignalProtocol {
  /// Sends the source's events as elements, its end too, and completes after that.
  ///
  ///     source         --1--!
  ///     materialize()  --next(1)--(failed|)
  @inlinable
  public func materialize() -> Signal<Signal<Element, Error>.Event, Never> {
    Signal<Signal<Element, Error>.Event, Never>(source: { observer, chain in
      self._attach(
        { event in
          observer(.next(event))
          if event.isTerminal, !chain.isDisposed { observer(.completed) }
        }, to: chain)
    })
  }
}

extension SignalProtocol {
  /// Sends the elements as the events that they are; the source is disposed at the first terminal one. A failure of the
  /// source is sent on.
  @inlinable
  public func dematerialize<E, F>() -> Signal<E, F>
  where Element == Signal<E, F>.Event, F == Error {
    Signal<E, F>(source: { observer, chain in
      let isDone = UncheckedBox(false)
      self._attach(
        { event in
          guard !isDone.value else { return }
          switch event {
          case .next(let inner):
            isDone.value = inner.isTerminal
            observer(inner)
          case .failed(let error): observer(.failed(error))
          case .completed: observer(.completed)
          }
        }, to: chain)
    })
  }
}

extension SignalProtocol where Error == Never {
  /// Sends the elements as the events that they are; the source is disposed at the first terminal one.
  @inlinable
  public func dematerialize<E, F>() -> Signal<E, F> where Element == Signal<E, F>.Event {
    Signal<E, F>(source: { observer, chain in
      let isDone = UncheckedBox(false)
      self._attach(
        { event in
          guard !isDone.value else { return }
          switch event {
          case .next(let inner):
            isDone.value = inner.isTerminal
            observer(inner)
          case .completed: observer(.completed)
          }
        }, to: chain)
    })
  }
}
