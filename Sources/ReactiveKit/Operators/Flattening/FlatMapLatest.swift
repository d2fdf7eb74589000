@usableFromInline
struct LatestState {
  @usableFromInline var isOuterDone = false
  // The number of the inner signal that completed last.
  @usableFromInline var lastCompleted = 0

  @inlinable
  init() {}
}

/// What the inner observations share: one reference for each of them to count instead of two.
@usableFromInline
final class LatestJoin<Element, Error: Swift.Error> {
  @usableFromInline let serializer: EventSerializer<LatestState, Element, Error>
  @usableFromInline let slot: ChainSlot

  @inlinable
  init(_ observer: @escaping Observer<Element, Error>, _ chain: ChainDisposable) {
    serializer = EventSerializer(LatestState(), observer, chain)
    slot = ChainSlot(of: chain)
  }
}

extension SignalProtocol {
  /// Sends the elements of the newest of the signals that the closure makes of each element; the one before it is
  /// disposed. Completes when the source and the newest have.
  ///
  ///     source               --a------b----|
  ///     "a" -> "-1-2-3|", "b" -> "-4-5|"
  ///     flatMapLatest        ---1-2-3--4-5-|
  @inlinable
  public func flatMapLatest<O: SignalProtocol>(_ transform: @escaping (Element) -> O)
    -> Signal<O.Element, Error> where O.Error == Error
  {
    Signal(source: { observer, chain in
      let join = LatestJoin<O.Element, Error>(observer, chain)
      let outer = chain.makeChild()
      self._attach(
        { event in
          switch event {
          case .next(let element):
            let inner = transform(element)
            // From here on the events of the inner signal before do not pass.
            let (innerChain, number) = join.slot.renewNumbered()
            guard !innerChain.isDisposed else { return }
            inner._attach(
              { event in
                join.serializer.update { state, emitter in
                  guard join.slot.newest == number else { return }
                  if event.isCompleted {
                    state.lastCompleted = number
                    if state.isOuterDone { emitter.send(.completed) }
                  } else {
                    emitter.send(event)
                  }
                }
                if event.isTerminal { innerChain.dispose() }
              }, to: innerChain)
          case .failed(let error):
            join.serializer.send(.failed(error))
            outer.dispose()
          case .completed:
            join.serializer.update { state, emitter in
              state.isOuterDone = true
              if state.lastCompleted == join.slot.newest { emitter.send(.completed) }
            }
            outer.dispose()
          }
        }, to: outer)
    })
  }

  /// The same for inner signals that cannot fail.
  @inlinable
  @_disfavoredOverload
  public func flatMapLatest<O: SignalProtocol>(_ transform: @escaping (Element) -> O)
    -> Signal<O.Element, Error> where O.Error == Never
  {
    flatMapLatest { transform($0).castError() as Signal<O.Element, Error> }
  }
}

extension SignalProtocol where Error == Never {
  /// The same for a source that cannot fail and inner signals that can.
  @inlinable
  @_disfavoredOverload
  public func flatMapLatest<O: SignalProtocol>(_ transform: @escaping (Element) -> O)
    -> Signal<O.Element, O.Error>
  {
    (castError() as Signal<Element, O.Error>).flatMapLatest(transform)
  }
}
