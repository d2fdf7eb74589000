@frozen @usableFromInline
struct ZipState<Left, Right> {
  @usableFromInline var lefts = FIFO<Left>()
  @usableFromInline var rights = FIFO<Right>()
  @usableFromInline var isLeftDone = false
  @usableFromInline var isRightDone = false

  @inlinable
  init() {}

  /// Removes and returns the oldest element of each side, or nil if either side is empty.
  @inlinable
  mutating func takePair() -> (Left, Right)? {
    guard !lefts.isEmpty, !rights.isEmpty,
      let left = lefts.popFirst(), let right = rights.popFirst()
    else { return nil }
    return (left, right)
  }

  /// A Boolean value that indicates whether no further pair is possible.
  @inlinable
  var isDone: Bool {
    isLeftDone && lefts.isEmpty || isRightDone && rights.isEmpty
  }
}

extension SignalProtocol {
  /// Combines the first elements of both signals with the closure, then the second elements, and so
  /// on.
  ///
  /// Completes as soon as no further pair is possible. Elements of the signal that is ahead wait
  /// for the other signal, without a limit.
  ///
  ///     source            --1--2-----3--|
  ///     other             ----a--b------|
  ///     zip(with: other)  ----1a-2b-----|
  @inlinable
  public func zip<O: SignalProtocol, U>(
    with other: O, combine: @escaping (Element, O.Element) -> U
  ) -> Signal<U, Error> where O.Error == Error {
    Signal(source: { observer, chain in
      typealias State = ZipState<Element, O.Element>
      let stage = chain.makeStage()
      defer { stage.didAttach() }
      let serializer = EventSerializer<State, (Element, O.Element), Error>(
        State(), pairObserver(observer, combine, chain), chain, stage: stage)
      let left = stage.makeChild()
      let right = stage.makeChild()
      self._attach(
        { event in
          serializer.update { state, emitter in
            switch event {
            case .next(let element):
              state.lefts.append(element)
              if let pair = state.takePair() { emitter.send(.next(pair)) }
            case .failed(let error): emitter.send(.failed(error))
            case .completed: state.isLeftDone = true
            }
            if state.isDone { emitter.send(.completed) }
          }
          if event.isTerminal { left.dispose() }
        }, to: left)
      guard !right.isDisposed else { return }
      other._attach(
        { event in
          serializer.update { state, emitter in
            switch event {
            case .next(let element):
              state.rights.append(element)
              if let pair = state.takePair() { emitter.send(.next(pair)) }
            case .failed(let error): emitter.send(.failed(error))
            case .completed: state.isRightDone = true
            }
            if state.isDone { emitter.send(.completed) }
          }
          if event.isTerminal { right.dispose() }
        }, to: right)
    })
  }

  /// Zips with a signal that can't fail, and combines each pair with the closure.
  @inlinable
  @_disfavoredOverload
  public func zip<O: SignalProtocol, U>(
    with other: O, combine: @escaping (Element, O.Element) -> U
  ) -> Signal<U, Error> where O.Error == Never {
    zip(with: other.castError(), combine: combine)
  }

  /// Sends the first elements of both signals as a pair, then the second elements, and so on.
  @inlinable
  public func zip<O: SignalProtocol>(with other: O) -> Signal<(Element, O.Element), Error>
  where O.Error == Error {
    zip(with: other, combine: { ($0, $1) })
  }

  /// Zips with a signal that can't fail, and sends the pairs.
  @inlinable
  @_disfavoredOverload
  public func zip<O: SignalProtocol>(with other: O) -> Signal<(Element, O.Element), Error>
  where O.Error == Never {
    zip(with: other.castError(), combine: { ($0, $1) })
  }
}

extension SignalProtocol where Error == Never {
  /// Zips a signal that can't fail with one that can, and combines each pair with the closure.
  @inlinable
  @_disfavoredOverload
  public func zip<O: SignalProtocol, U>(
    with other: O, combine: @escaping (Element, O.Element) -> U
  ) -> Signal<U, O.Error> {
    castError().zip(with: other, combine: combine)
  }

  /// Zips a signal that can't fail with one that can, and sends the pairs.
  @inlinable
  @_disfavoredOverload
  public func zip<O: SignalProtocol>(with other: O) -> Signal<(Element, O.Element), O.Error> {
    castError().zip(with: other, combine: { ($0, $1) })
  }
}
