@frozen @usableFromInline
struct ConcatState<Inner> {
  @usableFromInline var waiting = FIFO<Inner>()
  @usableFromInline var isOuterDone = false
  @usableFromInline var isInnerActive = false

  @inlinable
  init() {}

  /// Returns the next signal to subscribe to, or nil if a signal is active or no signal waits.
  @inlinable
  mutating func takeNext() -> Inner? {
    guard !isInnerActive, let next = waiting.popFirst() else { return nil }
    isInnerActive = true
    return next
  }
}

extension SignalProtocol {
  /// Transforms each element into a signal, and sends the elements of one signal after another.
  ///
  /// Completes when the source and all these signals have completed. Fails when any of them fails.
  ///
  ///     source         --a--b---------|
  ///     "a" -> "-1---2|", "b" -> "-3-4|"
  ///     flatMapConcat  ---1---2-3-4---|
  @inlinable
  public func flatMapConcat<O: SignalProtocol>(_ transform: @escaping (Element) -> O)
    -> Signal<O.Element, Error> where O.Error == Error
  {
    Signal(source: { observer, chain in
      let stage = chain.makeStage()
      defer { stage.didAttach() }
      let serializer = EventSerializer<ConcatState<O>, O.Element, Error>(
        ConcatState(), observer, chain, stage: stage)
      let slot = ChainSlot(of: stage)
      let trampoline = Trampoline()
      func observeNext() {
        trampoline.run {
          guard let inner = serializer.update({ state, _ in state.takeNext() }) else { return }
          let innerChain = slot.renew()
          guard !innerChain.isDisposed else { return }
          inner._attach(
            { event in
              serializer.update { state, emitter in
                if event.isCompleted {
                  state.isInnerActive = false
                  if state.isOuterDone, state.waiting.isEmpty { emitter.send(.completed) }
                } else {
                  emitter.send(event)
                }
              }
              guard event.isTerminal else { return }
              innerChain.dispose()
              if event.isCompleted { observeNext() }
            }, to: innerChain)
        }
      }
      let outer = stage.makeChild()
      self._attach(
        { event in
          switch event {
          case .next(let element):
            let inner = transform(element)
            serializer.update { state, _ in state.waiting.append(inner) }
            observeNext()
          case .failed(let error):
            serializer.send(.failed(error))
            outer.dispose()
          case .completed:
            serializer.update { state, emitter in
              state.isOuterDone = true
              if !state.isInnerActive, state.waiting.isEmpty { emitter.send(.completed) }
            }
            outer.dispose()
          }
        }, to: outer)
    })
  }

  /// Transforms each element into a signal that can't fail, and sends the elements of one signal
  /// after another.
  @inlinable
  @_disfavoredOverload
  public func flatMapConcat<O: SignalProtocol>(_ transform: @escaping (Element) -> O)
    -> Signal<O.Element, Error> where O.Error == Never
  {
    flatMapConcat { transform($0).castError() as Signal<O.Element, Error> }
  }
}

extension SignalProtocol where Error == Never {
  /// Transforms each element into a signal that can fail, and sends the elements of one signal
  /// after another. The source itself can't fail.
  @inlinable
  @_disfavoredOverload
  public func flatMapConcat<O: SignalProtocol>(_ transform: @escaping (Element) -> O)
    -> Signal<O.Element, O.Error>
  {
    (castError() as Signal<Element, O.Error>).flatMapConcat(transform)
  }
}
