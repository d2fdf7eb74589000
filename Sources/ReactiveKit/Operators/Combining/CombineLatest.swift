@usableFromInline
struct CombineLatestState<Left, Right> {
  @usableFromInline var left: Left?
  @usableFromInline var right: Right?
  @usableFromInline var isLeftDone = false
  @usableFromInline var isRightDone = false

  @inlinable
  init() {}
}

extension SignalProtocol {
  /// Sends what the closure makes of the latest elements of both, each time either sends one; completes when both have.
  ///
  ///     source                      --1-----2-----|
  ///     other                       ----a------b--|
  ///     combineLatest(with: other)  ----1a--2a-2b-|
  @inlinable
  public func combineLatest<O: SignalProtocol, U>(
    with other: O, combine: @escaping (Element, O.Element) -> U
  ) -> Signal<U, Error> where O.Error == Error {
    Signal(source: { observer, chain in
      typealias State = CombineLatestState<Element, O.Element>
      let serializer = EventSerializer<State, (Element, O.Element), Error>(
        State(), pairObserver(observer, combine, chain), chain)
      let left = chain.makeChild()
      let right = chain.makeChild()
      self._attach(
        { event in
          serializer.update { state, emitter -> Element? in
            switch event {
            case .next(let element):
              let outdated = state.left
              state.left = element
              if let other = state.right { emitter.send(.next((element, other))) }
              return outdated
            case .failed(let error): emitter.send(.failed(error))
            case .completed:
              state.isLeftDone = true
              if state.isRightDone { emitter.send(.completed) }
            }
            return nil
          }
          if event.isTerminal { left.dispose() }
        }, to: left)
      guard !right.isDisposed else { return }
      other._attach(
        { event in
          serializer.update { state, emitter -> O.Element? in
            switch event {
            case .next(let element):
              let outdated = state.right
              state.right = element
              if let other = state.left { emitter.send(.next((other, element))) }
              return outdated
            case .failed(let error): emitter.send(.failed(error))
            case .completed:
              state.isRightDone = true
              if state.isLeftDone { emitter.send(.completed) }
            }
            return nil
          }
          if event.isTerminal { right.dispose() }
        }, to: right)
    })
  }

  /// Combines with a signal that cannot fail.
  @inlinable
  @_disfavoredOverload
  public func combineLatest<O: SignalProtocol, U>(
    with other: O, combine: @escaping (Element, O.Element) -> U
  ) -> Signal<U, Error> where O.Error == Never {
    combineLatest(with: other.castError(), combine: combine)
  }

  /// Sends the latest elements of both as a pair, each time either sends one; completes when both have.
  @inlinable
  public func combineLatest<O: SignalProtocol>(with other: O)
    -> Signal<(Element, O.Element), Error> where O.Error == Error
  {
    combineLatest(with: other, combine: { ($0, $1) })
  }

  /// Combines with a signal that cannot fail.
  @inlinable
  @_disfavoredOverload
  public func combineLatest<O: SignalProtocol>(with other: O)
    -> Signal<(Element, O.Element), Error> where O.Error == Never
  {
    combineLatest(with: other.castError(), combine: { ($0, $1) })
  }
}

extension SignalProtocol where Error == Never {
  /// Combines a signal that cannot fail with one that can.
  @inlinable
  @_disfavoredOverload
  public func combineLatest<O: SignalProtocol, U>(
    with other: O, combine: @escaping (Element, O.Element) -> U
  ) -> Signal<U, O.Error> {
    castError().combineLatest(with: other, combine: combine)
  }

  /// Combines a signal that cannot fail with one that can.
  @inlinable
  @_disfavoredOverload
  public func combineLatest<O: SignalProtocol>(with other: O)
    -> Signal<(Element, O.Element), O.Error>
  {
    castError().combineLatest(with: other, combine: { ($0, $1) })
  }
}

/// An observer of pairs that sends on what a closure of the user's makes of them, outside the serializer's lock.
@inlinable
func pairObserver<Left, Right, U, Error>(
  _ observer: @escaping Observer<U, Error>, _ combine: @escaping (Left, Right) -> U,
  _ chain: ChainDisposable
) -> Observer<(Left, Right), Error> {
  { event in
    switch event {
    case .next(let pair):
      let combined = combine(pair.0, pair.1)
      if !chain.isDisposed { observer(.next(combined)) }
    case .failed(let error): observer(.failed(error))
    case .completed: observer(.completed)
    }
  }
}
