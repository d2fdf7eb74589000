import Dispatch

extension SignalProtocol where Element: Sendable {
  /// Sends events on the main actor, in order. An event that arrives there is sent immediately,
  /// after the waiting events. Any other event is sent later on the main queue.
  func receivedOnMainActor() -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      typealias Waiting = Carried<Signal<Element, Error>.Event>
      // The events travel as elements, so the terminal event also arrives in the context in which
      // it was sent. All are sent on the main actor, so they are also delivered there.
      let serializer = EventSerializer<FIFO<Waiting>, Waiting, Never>(
        FIFO(), Waiting.unpacking { if case .next(let event) = $0 { observer(event) } }, chain)
      let source = chain.makeSource()
      self._attach(
        { event in
          let arrived = Waiting(event)
          if MainQueue.isCurrent {
            serializer.update { waiting, emitter in
              while let earlier = waiting.popFirst() { emitter.send(.next(earlier)) }
              emitter.send(.next(arrived))
            }
          } else {
            let isFirst = serializer.update { waiting, _ in
              defer { waiting.append(arrived) }
              return waiting.isEmpty
            }
            if isFirst {
              DispatchQueue.main.schedule {
                serializer.update { waiting, emitter in
                  while let earlier = waiting.popFirst() { emitter.send(.next(earlier)) }
                }
              }
            }
          }
          if event.isTerminal { source.dispose() }
        }, to: source)
    })
  }
}
