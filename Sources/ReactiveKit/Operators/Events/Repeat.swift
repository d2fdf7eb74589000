@usableFromInline
struct RepeatState {
  @usableFromInline var attempt = 0
  @usableFromInline var isSourceDone = false
  @usableFromInline var isOtherActive = false

  @inlinable
  init() {}
}

extension SignalProtocol {
  /// Observes the source anew each time the signal that the closure makes of its newest element sends an element. Completes
  /// when the source and that signal have.
  ///
  ///     source                     --1--|
  ///     signal of the closure        ----x
  ///     repeat(when:)              --1-----1-----1
  @inlinable
  public func `repeat`<O: SignalProtocol>(when other: @escaping (Element) -> O)
    -> Signal<Element, Error> where O.Error == Never
  {
    Signal(source: { observer, chain in
      let junction = Junction<RepeatState, Element, Error>(RepeatState(), observer, chain)
      let source = ChainSlot(of: chain)
      let others = ChainSlot(of: chain)
      let trampoline = Trampoline()
      func watch(_ element: Element) {
        let otherChain = others.renew()
        guard !otherChain.isDisposed else { return }
        junction.update { state, _ in state.isOtherActive = true }
        other(element)._attach(
          { event in
            guard !otherChain.isDisposed else { return }
            otherChain.dispose()
            if event.isNext { return attempt() }
            junction.update { state, outlet in
              state.isOtherActive = false
              if state.isSourceDone { outlet.send(.completed) }
            }
          }, to: otherChain)
      }
      func attempt() {
        junction.update { state, _ in
          state.attempt += 1
          state.isSourceDone = false
          state.isOtherActive = false
        }
        trampoline.run {
          // Read here: the trampoline runs the step of the first attempt for those that are asked for meanwhile.
          let number = junction.update { state, _ in state.attempt }
          let attemptChain = source.renew()
          guard !attemptChain.isDisposed else { return }
          self._attach(
            { event in
              let isCurrent = junction.update { state, outlet in
                guard state.attempt == number else { return false }
                if event.isCompleted {
                  state.isSourceDone = true
                  if !state.isOtherActive { outlet.send(.completed) }
                } else {
                  outlet.send(event)
                }
                return true
              }
              if event.isTerminal || !isCurrent {
                attemptChain.dispose()
              } else if case .next(let element) = event {
                watch(element)
              }
            }, to: attemptChain)
        }
      }
      attempt()
    })
  }
}
