extension SignalProtocol {
  /// Sends events on a scheduler, in their order; also on a concurrent queue never two at once.
  public func receive<S: Scheduler>(on scheduler: S) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      typealias Event = Signal<Element, Error>.Event
      let junction = Junction<FIFO<Event>, Element, Error>(FIFO(), observer, chain)
      let source = chain.makeSource()
      self._attach(
        { event in
          junction.update { waiting, _ in waiting.append(event) }
          scheduler.schedule(
            Tracing.carrying {
              guard !chain.isDisposed else { return }
              junction.update { waiting, outlet in
                if let event = waiting.popFirst() { outlet.send(event) }
              }
            })
          if event.isTerminal { source.dispose() }
        }, to: source)
    })
  }
}
