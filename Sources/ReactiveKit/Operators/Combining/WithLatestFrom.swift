extension SignalProtocol {
  /// Combines each element with the latest element of `other`.
  ///
  /// Drops elements that arrive before the first element of `other`. Ends when the source ends, and
  /// fails when either signal fails.
  ///
  ///     source                  --1-----2--3--|
  ///     other                   ----a-----b---
  ///     with(latestFrom: other) --------2a-3b-|
  @inlinable
  public func with<O: SignalProtocol, U>(
    latestFrom other: O, combine: @escaping (Element, O.Element) -> U
  ) -> Signal<U, Error> where O.Error == Error {
    Signal(source: { observer, chain in
      let stage = chain.makeStage()
      defer { stage.didAttach() }
      let serializer = EventSerializer<O.Element?, (Element, O.Element), Error>(
        nil, pairObserver(observer, combine, chain), chain, stage: stage)
      let otherChain = stage.makeChild()
      other._attach(
        { event in
          switch event {
          case .next(let element):
            serializer.update { latest, _ -> O.Element? in
              let outdated = latest
              latest = element
              return outdated
            }
          case .failed(let error): serializer.send(.failed(error))
          case .completed: break
          }
          if event.isTerminal { otherChain.dispose() }
        }, to: otherChain)
      guard !chain.isDisposed else { return }
      let source = stage.makeChild()
      self._attach(
        { event in
          serializer.update { latest, emitter in
            switch event {
            case .next(let element):
              if let latest { emitter.send(.next((element, latest))) }
            case .failed(let error): emitter.send(.failed(error))
            case .completed: emitter.send(.completed)
            }
          }
          if event.isTerminal { source.dispose() }
        }, to: source)
    })
  }

  /// Combines each element with the latest element of a signal that can't fail.
  @inlinable
  @_disfavoredOverload
  public func with<O: SignalProtocol, U>(
    latestFrom other: O, combine: @escaping (Element, O.Element) -> U
  ) -> Signal<U, Error> where O.Error == Never {
    with(latestFrom: other.castError(), combine: combine)
  }

  /// Pairs each element with the latest element of `other`.
  @inlinable
  public func with<O: SignalProtocol>(latestFrom other: O)
    -> Signal<(Element, O.Element), Error> where O.Error == Error
  {
    with(latestFrom: other, combine: { ($0, $1) })
  }

  /// Pairs each element with the latest element of a signal that can't fail.
  @inlinable
  @_disfavoredOverload
  public func with<O: SignalProtocol>(latestFrom other: O)
    -> Signal<(Element, O.Element), Error> where O.Error == Never
  {
    with(latestFrom: other.castError(), combine: { ($0, $1) })
  }
}

extension SignalProtocol where Error == Never {
  /// Combines each element of a signal that can't fail with the latest element of a signal that
  /// can.
  @inlinable
  @_disfavoredOverload
  public func with<O: SignalProtocol, U>(
    latestFrom other: O, combine: @escaping (Element, O.Element) -> U
  ) -> Signal<U, O.Error> {
    castError().with(latestFrom: other, combine: combine)
  }

  /// Pairs each element of a signal that can't fail with the latest element of a signal that can.
  @inlinable
  @_disfavoredOverload
  public func with<O: SignalProtocol>(latestFrom other: O)
    -> Signal<(Element, O.Element), O.Error>
  {
    castError().with(latestFrom: other, combine: { ($0, $1) })
  }
}
