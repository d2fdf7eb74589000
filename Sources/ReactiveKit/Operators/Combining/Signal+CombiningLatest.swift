@frozen @usableFromInline
struct LatestOfManyState<Element> {
  @usableFromInline var latest: [Element?]
  @usableFromInline var missingCount: Int
  @usableFromInline var activeCount: Int

  @inlinable
  init(count: Int) {
    latest = Array(repeating: nil, count: count)
    missingCount = count
    activeCount = count
  }
}

extension Signal {
  /// Combines the latest elements of all signals, in the order of the signals, with the closure.
  ///
  /// Sends a result each time any signal sends an element, once all have sent one. Completes when
  /// all have completed. Completes immediately for an empty collection.
  ///
  /// Each event copies the latest elements, an array of `signals.count` elements.
  @inlinable
  public init<C: Collection, S: SignalProtocol>(
    combiningLatest signals: C, combine: @escaping ([S.Element]) -> Element
  ) where C.Element == S, S.Error == Error {
    let signals = Array(signals)
    self.init(source: { observer, chain in
      guard !signals.isEmpty else { return observer(.completed) }
      typealias State = LatestOfManyState<S.Element>
      let stage = chain.makeStage()
      defer { stage.didAttach() }
      let serializer = EventSerializer<State, [S.Element?], Error>(
        State(count: signals.count),
        { event in
          switch event {
          case .next(let latest):
            let combined = combine(latest.compactMap { $0 })
            if !chain.isDisposed { observer(.next(combined)) }
          case .failed(let error): observer(.failed(error))
          case .completed: observer(.completed)
          }
        }, chain, stage: stage)
      for (index, signal) in signals.enumerated() where !chain.isDisposed {
        let child = stage.makeChild()
        signal._attach(
          { event in
            serializer.update { state, emitter -> S.Element? in
              var outdated: S.Element?
              switch event {
              case .next(let element):
                outdated = state.latest[index]
                if outdated == nil { state.missingCount -= 1 }
                state.latest[index] = element
                if state.missingCount == 0 { emitter.send(.next(state.latest)) }
              case .failed(let error): emitter.send(.failed(error))
              case .completed:
                state.activeCount -= 1
                if state.activeCount == 0 { emitter.send(.completed) }
              }
              return outdated
            }
            if event.isTerminal { child.dispose() }
          }, to: child)
      }
    })
  }
}
