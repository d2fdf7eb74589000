@usableFromInline
struct RepeatState {
  @usableFromInline var attempt = 0
  @usableFromInline var isSourceDone = false
  // The number of the other signal that ended or sent last; it is active while there is a newer one.
  @usableFromInline var lastOtherDone = 0

  @inlinable
  init() {}
}

extension SignalProtocol {
  /// Observes the source anew each time the signal that the closure makes of its newest element sends an element. Completes
  /// when the source and that signal have. Where some hundred thousand observations in a row end while they are being made, the next
  /// ones are made on a queue, so that the observer gets the means to dispose.
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
        let (otherChain, number) = others.renewNumbered()
        guard !otherChain.isDisposed else { return }
        other(element)._attach(
          { event in
            let isAwaited = junction.update { state, outlet in
              guard others.newest == number, state.lastOtherDone != number else { return false }
              state.lastOtherDone = number
              if event.isNext {
                // From here on the events of the attempt before do not pass.
                state.attempt += 1
                state.isSourceDone = false
              } else if state.isSourceDone {
                outlet.send(.completed)
              }
              return true
            }
            otherChain.dispose()
            if isAwaited, event.isNext { attempt() }
          }, to: otherChain)
      }
      func attempt() {
        trampoline.runLettingGo {
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
                  if state.lastOtherDone == others.newest { outlet.send(.completed) }
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
