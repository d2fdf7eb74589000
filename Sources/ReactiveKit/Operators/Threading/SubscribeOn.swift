extension SignalProtocol {
  /// Observes the source on a scheduler: its producer runs there.
  ///
  /// An observation that is disposed before the scheduler gets to it never reaches the source.
  public func subscribe<S: Scheduler>(on scheduler: S) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      let source = chain.makeSource()
      scheduler.schedule(
        Tracing.carrying {
          if !source.isDisposed { self._attach(observer, to: source) }
        })
    })
  }
}
