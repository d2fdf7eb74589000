@usableFromInline
struct RepeatState {
  // The attempt whose events pass.
  @usableFromInline var attempt = 0
  // How many attempts were asked for and have not begun: the first, to start with.
  @usableFromInline var wanted = 1
  @usableFromInline var isSourceDone = false
  // The number of the other signal that ended last; it is active while there is a newer one.
  @usableFromInline var lastOtherDone = 0

  @inlinable
  init() {}

  /// Asks for one more attempt.
  @inlinable
  mutating func ask() {
    if wanted == 0 { renew() }
    wanted += 1
  }

  /// The number of the attempt to begin; nil where a newer element has made it unwanted.
  @inlinable
  mutating func begin() -> Int? {
    guard wanted > 0 else { return nil }
    wanted -= 1
    return attempt
  }

  /// Reports whether another attempt follows the one that has begun.
  @inlinable
  mutating func goesOn() -> Bool {
    if wanted > 0 { renew() }
    return wanted > 0
  }

  // From here on the events of the attempt before do not pass.
  @inlinable
  mutating func renew() {
    attempt += 1
    isSourceDone = false
  }
}

extension SignalProtocol {
  /// Observes the source anew each time the signal that the closure makes of its newest element sends an element; that
  /// signal is observed until a newer element replaces it. Completes when the source and that signal have. Where some hundred thousand observations in a row end while they are being made, the next
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
              if event.isNext {
                state.ask()
              } else {
                state.lastOtherDone = number
                if state.isSourceDone, state.wanted == 0 { outlet.send(.completed) }
              }
              return true
            }
            if !isAwaited || event.isTerminal { return otherChain.dispose() }
            attempt()
          }, to: otherChain)
      }
      func attempt() {
        trampoline.runLettingGo {
          // Read here: the trampoline runs the step of the first attempt for those that are asked for meanwhile.
          guard let number = junction.update({ state, _ in state.begin() }) else { return }
          let attemptChain = source.renew()
          guard !attemptChain.isDisposed else { return }
          self._attach(
            { event in
              let isCurrent = junction.update { state, outlet in
                guard state.attempt == number else { return false }
                if event.isCompleted {
                  state.isSourceDone = true
                  if state.lastOtherDone == others.newest, state.wanted == 0 {
                    outlet.send(.completed)
                  }
                } else {
                  // A newer element replaces the signal that asked for these attempts.
                  state.wanted = 0
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
          if junction.update({ state, _ in state.goesOn() }) { attempt() }
        }
      }
      attempt()
    })
  }
}
