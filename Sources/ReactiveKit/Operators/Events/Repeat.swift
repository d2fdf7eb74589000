@frozen @usableFromInline
struct RepeatState {
  // The number of the attempt whose events pass.
  @usableFromInline var attempt = 0
  // The number of requested attempts that have not begun. At the start, it counts the first
  // attempt.
  @usableFromInline var wanted = 1
  @usableFromInline var isSourceDone = false
  // The number of the closure's signal that ended last. While a newer signal exists, that one is
  // active.
  @usableFromInline var lastOtherDone = 0

  @inlinable
  init() {}

  /// Requests one more attempt.
  @inlinable
  mutating func ask() {
    if wanted == 0 { renew() }
    wanted += 1
  }

  /// Returns the number of the attempt to begin, or nil if a newer element made it unnecessary.
  @inlinable
  mutating func begin() -> Int? {
    guard wanted > 0 else { return nil }
    wanted -= 1
    return attempt
  }

  /// Reports whether another attempt must follow the one that has begun. If so, events of the
  /// current attempt no longer pass.
  @inlinable
  mutating func renewIfWanted() -> Bool {
    if wanted > 0 { renew() }
    return wanted > 0
  }

  // After this call, events of the previous attempt no longer pass.
  @inlinable
  mutating func renew() {
    attempt += 1
    isSourceDone = false
  }
}

extension SignalProtocol {
  /// Subscribes to the source again each time the signal that the closure returns sends an element.
  ///
  /// The closure makes that signal from the newest element of the source. The subscription to it
  /// lasts until a newer element replaces it. Completes when the source and the newest of these
  /// signals have completed.
  ///
  /// If more than a hundred thousand subscriptions in a row end while they are being made, the next
  /// ones are made on a queue. The caller then gets the disposable that stops them.
  ///
  ///     source                     --1--|
  ///     signal of the closure        ----x
  ///     repeat(when:)              --1-----1-----1
  @inlinable
  public func `repeat`<O: SignalProtocol>(when other: @escaping (Element) -> O)
    -> Signal<Element, Error> where O.Error == Never
  {
    Signal(source: { observer, chain in
      let stage = chain.makeStage()
      defer { stage.didAttach() }
      let serializer = EventSerializer<RepeatState, Element, Error>(
        RepeatState(), observer, chain, stage: stage)
      let source = ChainSlot(of: stage)
      let others = ChainSlot(of: stage)
      let trampoline = Trampoline()
      func watch(_ element: Element) {
        let (otherChain, number) = others.renewNumbered()
        guard !otherChain.isDisposed else { return }
        other(element)._attach(
          { event in
            let isAwaited = serializer.update { state, emitter in
              guard others.newest == number, state.lastOtherDone != number else { return false }
              if event.isNext {
                state.ask()
              } else {
                state.lastOtherDone = number
                if state.isSourceDone, state.wanted == 0 { emitter.send(.completed) }
              }
              return true
            }
            if !isAwaited || event.isTerminal { return otherChain.dispose() }
            attempt()
          }, to: otherChain)
      }
      func attempt() {
        trampoline.runLimited {
          // The number is read here because the trampoline runs the step of the first attempt for
          // all attempts that are requested in the meantime.
          guard let number = serializer.update({ state, _ in state.begin() }) else { return }
          let attemptChain = source.renew()
          guard !attemptChain.isDisposed else { return }
          self._attach(
            { event in
              let isCurrent = serializer.update { state, emitter in
                guard state.attempt == number else { return false }
                if event.isCompleted {
                  state.isSourceDone = true
                  if state.lastOtherDone == others.newest, state.wanted == 0 {
                    emitter.send(.completed)
                  }
                } else {
                  // Attempts that an older element's signal requested are outdated.
                  state.wanted = 0
                  emitter.send(event)
                }
                return true
              }
              if event.isTerminal || !isCurrent {
                attemptChain.dispose()
              } else if case .next(let element) = event {
                watch(element)
              }
            }, to: attemptChain)
          if serializer.update({ state, _ in state.renewIfWanted() }) { attempt() }
        }
      }
      attempt()
    })
  }
}
