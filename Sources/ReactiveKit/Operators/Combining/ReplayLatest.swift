@frozen @usableFromInline
struct ReplayLatestState<Element> {
  @usableFromInline var latest: Element?
  @usableFromInline var activeCount = 2

  @inlinable
  init() {}

  /// Counts a completed signal, and sends the completion after the last one.
  @inlinable
  mutating func complete<Outer, Error>(
    _ emitter: inout EventSerializer<Outer, Element, Error>.Emitter
  ) {
    activeCount -= 1
    if activeCount == 0 { emitter.send(.completed) }
  }
}

extension SignalProtocol {
  /// Sends the source's elements, and repeats the latest one each time `other` sends an element.
  ///
  /// Completes when both have completed, and fails when the source fails. Subscribes to the source
  /// first.
  ///
  ///     source                     --1-----2--|
  ///     other                      -x--x-x------x-|
  ///     replayLatest(when: other)  --1-1-1-2----2-|
  @inlinable
  public func replayLatest<O: SignalProtocol>(when other: O) -> Signal<Element, Error>
  where O.Error == Never {
    Signal(source: { observer, chain in
      typealias State = ReplayLatestState<Element>
      let stage = chain.makeStage()
      defer { stage.didAttach() }
      let serializer = EventSerializer<State, Element, Error>(
        State(), observer, chain, stage: stage)
      let source = stage.makeChild()
      let otherChain = stage.makeChild()
      self._attach(
        { event in
          serializer.update { state, emitter -> Element? in
            guard !event.isCompleted else {
              state.complete(&emitter)
              return nil
            }
            let outdated = state.latest
            if case .next(let element) = event { state.latest = element }
            emitter.send(event)
            return outdated
          }
          if event.isTerminal { source.dispose() }
        }, to: source)
      guard !otherChain.isDisposed else { return }
      other._attach(
        { event in
          serializer.update { state, emitter in
            if event.isTerminal {
              state.complete(&emitter)
            } else if let latest = state.latest {
              emitter.send(.next(latest))
            }
          }
          if event.isTerminal { otherChain.dispose() }
        }, to: otherChain)
    })
  }
}
