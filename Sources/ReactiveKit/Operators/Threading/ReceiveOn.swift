extension SignalProtocol {
  /// Sends events on a scheduler, in order. Never sends two events at the same time, even on a
  /// concurrent queue.
  public func receive<S: Scheduler>(on scheduler: S) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      typealias Event = Signal<Element, Error>.Event
      let serializer = EventSerializer<FIFO<Event>, Element, Error>(FIFO(), observer, chain)
      let source = chain.makeSource()
      self._attach(
        { event in
          serializer.update { waiting, _ in waiting.append(event) }
          scheduler.schedule(
            Tracing.carrying {
              guard !chain.isDisposed else { return }
              serializer.update { waiting, emitter in
                if let event = waiting.popFirst() { emitter.send(event) }
              }
            })
          if event.isTerminal { source.dispose() }
        }, to: source)
    })
  }
}
