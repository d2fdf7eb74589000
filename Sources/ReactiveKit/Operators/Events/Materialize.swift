extension SignalProtocol {
  /// Sends each event of the source as an element, including the terminal event, and then
  /// completes.
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
  /// Converts elements that are events back into events. The first terminal event disposes the
  /// source. Passes on a failure of the source.
  @inlinable
  public func dematerialize<E, F>() -> Signal<E, F>
  where Element == Signal<E, F>.Event, F == Error {
    Signal<E, F>(source: { observer, chain in
      let isDone = UncheckedBox(false)
      let stage = chain.makeStage()
      self._attach(
        { event in
          guard !isDone.value else { return }
          switch event {
          case .next(let inner):
            isDone.value = inner.isTerminal
            if isDone.value { stage.end() }
            if !chain.isDisposed { observer(inner) }
          case .failed(let error): observer(.failed(error))
          case .completed: observer(.completed)
          }
        }, to: stage)
      stage.didAttach()
    })
  }
}

extension SignalProtocol where Error == Never {
  /// Converts elements that are events back into events. The first terminal event disposes the
  /// source.
  @inlinable
  public func dematerialize<E, F>() -> Signal<E, F> where Element == Signal<E, F>.Event {
    Signal<E, F>(source: { observer, chain in
      let isDone = UncheckedBox(false)
      let stage = chain.makeStage()
      self._attach(
        { event in
          guard !isDone.value else { return }
          switch event {
          case .next(let inner):
            isDone.value = inner.isTerminal
            if isDone.value { stage.end() }
            if !chain.isDisposed { observer(inner) }
          case .completed: observer(.completed)
          }
        }, to: stage)
      stage.didAttach()
    })
  }
}
