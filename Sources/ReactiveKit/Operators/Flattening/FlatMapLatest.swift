@frozen @usableFromInline
struct LatestState {
  @usableFromInline var isOuterDone = false
  // The number of the inner signal that completed last.
  @usableFromInline var lastCompleted = 0

  @inlinable
  init() {}
}

/// The state that the inner subscriptions share. Each of them counts one reference instead of two.
@_fixed_layout @usableFromInline
final class LatestJoin<Element, Error: Swift.Error> {
  @usableFromInline let serializer: EventSerializer<LatestState, Element, Error>
  @usableFromInline let slot: ChainSlot

  @inlinable
  init(
    _ observer: @escaping Observer<Element, Error>, _ chain: ChainDisposable,
    stage: ChainDisposable
  ) {
    serializer = EventSerializer(LatestState(), observer, chain, stage: stage)
    slot = ChainSlot(of: stage)
  }
}

extension SignalProtocol {
  /// Transforms each element into a signal, and sends the elements of the newest signal.
  ///
  /// A new signal disposes the previous one. Completes when the source and the newest signal have
  /// completed.
  ///
  ///     source               --a------b----|
  ///     "a" -> "-1-2-3|", "b" -> "-4-5|"
  ///     flatMapLatest        ---1-2-3--4-5-|
  @inlinable
  public func flatMapLatest<O: SignalProtocol>(_ transform: @escaping (Element) -> O)
    -> Signal<O.Element, Error> where O.Error == Error
  {
    Signal(source: { observer, chain in
      let stage = chain.makeStage()
      defer { stage.didAttach() }
      let join = LatestJoin<O.Element, Error>(observer, chain, stage: stage)
      let outer = stage.makeChild()
      self._attach(
        { event in
          switch event {
          case .next(let element):
            let inner = transform(element)
            // From here on, events of the previous inner signal no longer pass.
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

  /// Transforms each element into a signal that can't fail, and sends the elements of the newest
  /// signal.
  @inlinable
  @_disfavoredOverload
  public func flatMapLatest<O: SignalProtocol>(_ transform: @escaping (Element) -> O)
    -> Signal<O.Element, Error> where O.Error == Never
  {
    flatMapLatest { transform($0).castError() as Signal<O.Element, Error> }
  }
}

extension SignalProtocol where Error == Never {
  /// Transforms each element into a signal that can fail, and sends the elements of the newest
  /// signal. The source itself can't fail.
  @inlinable
  @_disfavoredOverload
  public func flatMapLatest<O: SignalProtocol>(_ transform: @escaping (Element) -> O)
    -> Signal<O.Element, O.Error>
  {
    (castError() as Signal<Element, O.Error>).flatMapLatest(transform)
  }
}
