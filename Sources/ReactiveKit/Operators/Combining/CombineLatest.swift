@frozen @usableFromInline
struct CombineLatestState<Left, Right> {
  @usableFromInline var left: Left?
  @usableFromInline var right: Right?
  @usableFromInline var isLeftDone = false
  @usableFromInline var isRightDone = false

  @inlinable
  init() {}
}

extension SignalProtocol {
  /// Combines the latest elements of both signals with the closure.
  ///
  /// Sends a result each time either signal sends an element, once both have sent one. Completes
  /// when both have completed.
  ///
  ///     source                      --1-----2-----|
  ///     other                       ----a------b--|
  ///     combineLatest(with: other)  ----1a--2a-2b-|
  @inlinable
  public func combineLatest<O: SignalProtocol, U>(
    with other: O, combine: @escaping (Element, O.Element) -> U
  ) -> Signal<U, Error> where O.Error == Error {
    // Elements and ends are handled separately. The decision about an element is then short enough
    // to be inlined: 28 ns for an event instead of 36.
    Signal(source: { observer, chain in
      typealias State = CombineLatestState<Element, O.Element>
      let stage = chain.makeStage()
      defer { stage.didAttach() }
      let serializer = EventSerializer<State, (Element, O.Element), Error>(
        State(), pairObserver(observer, combine, chain), chain, stage: stage)
      let left = stage.makeChild()
      let right = stage.makeChild()
      self._attach(
        { event in
          guard case .next(let element) = event else {
            serializer.update { state, emitter in
              state.isLeftDone = true
              if case .failed(let error) = event {
                emitter.send(.failed(error))
              } else if state.isRightDone {
                emitter.send(.completed)
              }
            }
            return left.dispose()
          }
          serializer.update { state, emitter -> Element? in
            let outdated = state.left
            state.left = element
            if let other = state.right { emitter.send(.next((element, other))) }
            return outdated
          } delivering: {
            deliverPair($0, observer, combine, chain)
          }
        }, to: left)
      guard !right.isDisposed else { return }
      other._attach(
        { event in
          guard case .next(let element) = event else {
            serializer.update { state, emitter in
              state.isRightDone = true
              if case .failed(let error) = event {
                emitter.send(.failed(error))
              } else if state.isLeftDone {
                emitter.send(.completed)
              }
            }
            return right.dispose()
          }
          serializer.update { state, emitter -> O.Element? in
            let outdated = state.right
            state.right = element
            if let other = state.left { emitter.send(.next((other, element))) }
            return outdated
          } delivering: {
            deliverPair($0, observer, combine, chain)
          }
        }, to: right)
    })
  }

  /// Combines the latest elements with those of a signal that can't fail.
  @inlinable
  @_disfavoredOverload
  public func combineLatest<O: SignalProtocol, U>(
    with other: O, combine: @escaping (Element, O.Element) -> U
  ) -> Signal<U, Error> where O.Error == Never {
    combineLatest(with: other.castError(), combine: combine)
  }

  /// Sends the latest elements of both signals as a pair.
  ///
  /// Sends a pair each time either signal sends an element, once both have sent one. Completes when
  /// both have completed.
  @inlinable
  public func combineLatest<O: SignalProtocol>(with other: O)
    -> Signal<(Element, O.Element), Error> where O.Error == Error
  {
    combineLatest(with: other, combine: { ($0, $1) })
  }

  /// Pairs the latest elements with those of a signal that can't fail.
  @inlinable
  @_disfavoredOverload
  public func combineLatest<O: SignalProtocol>(with other: O)
    -> Signal<(Element, O.Element), Error> where O.Error == Never
  {
    combineLatest(with: other.castError(), combine: { ($0, $1) })
  }
}

extension SignalProtocol where Error == Never {
  /// Combines the latest elements of a signal that can't fail with those of a signal that can.
  @inlinable
  @_disfavoredOverload
  public func combineLatest<O: SignalProtocol, U>(
    with other: O, combine: @escaping (Element, O.Element) -> U
  ) -> Signal<U, O.Error> {
    castError().combineLatest(with: other, combine: combine)
  }

  /// Pairs the latest elements of a signal that can't fail with those of a signal that can.
  @inlinable
  @_disfavoredOverload
  public func combineLatest<O: SignalProtocol>(with other: O)
    -> Signal<(Element, O.Element), O.Error>
  {
    castError().combineLatest(with: other, combine: { ($0, $1) })
  }
}

/// Returns an observer of pairs for a serializer.
@inlinable
func pairObserver<Left, Right, U, Error>(
  _ observer: @escaping Observer<U, Error>, _ combine: @escaping (Left, Right) -> U,
  _ chain: ChainDisposable
) -> Observer<(Left, Right), Error> {
  { deliverPair($0, observer, combine, chain) }
}

/// Applies the user's closure to a pair and sends the result. The closure runs outside the
/// serializer's lock.
@inlinable
@inline(__always)
func deliverPair<Left, Right, U, Error>(
  _ event: Signal<(Left, Right), Error>.Event, _ observer: Observer<U, Error>,
  _ combine: (Left, Right) -> U, _ chain: ChainDisposable
) {
  switch event {
  case .next(let pair):
    let combined = combine(pair.0, pair.1)
    if !chain.isDisposed { observer(.next(combined)) }
  case .failed(let error): observer(.failed(error))
  case .completed: observer(.completed)
  }
}
