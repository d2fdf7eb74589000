@usableFromInline
struct ReplayLatestState<Element> {
  @usableFromInline var latest: Element?
  @usableFromInline var activeCount = 2

  @inlinable
  init() {}

  /// Counts a signal that completed; the last one completes the whole.
  @inlinable
  mutating func complete<Outer, Error>(_ outlet: inout Junction<Outer, Element, Error>.Outlet) {
    activeCount -= 1
    if activeCount == 0 { outlet.send(.completed) }
  }
}

extension SignalProtocol {
  /// Sends the elements of the source, and the latest of them again each time the other signal sends an element. Completes
  /// when both have, fails when the source does. The source is observed first.
  ///
  ///     source                     --1-----2--|
  ///     other                      -x--x-x------x-|
  ///     replayLatest(when: other)  --1-1-1-2----2-|
  @inlinable
  public func replayLatest<O: SignalProtocol>(when other: O) -> Signal<Element, Error>
  where O.Error == Never {
    Signal(source: { observer, chain in
      typealias State = ReplayLatestState<Element>
      let junction = Junction<State, Element, Error>(State(), observer, chain)
      let source = chain.makeChild()
      let otherChain = chain.makeChild()
      self._attach(
        { event in
          junction.update { state, outlet -> Element? in
            guard !event.isCompleted else {
              state.complete(&outlet)
              return nil
            }
            let outdated = state.latest
            if case .next(let element) = event { state.latest = element }
            outlet.send(event)
            return outdated
          }
          if event.isTerminal { source.dispose() }
        }, to: source)
      guard !otherChain.isDisposed else { return }
      other._attach(
        { event in
          junction.update { state, outlet in
            if event.isTerminal {
              state.complete(&outlet)
            } else if let latest = state.latest {
              outlet.send(.next(latest))
            }
          }
          if event.isTerminal { otherChain.dispose() }
        }, to: otherChain)
    })
  }
}
