extension SignalProtocol {
  /// Subscribes to the source on a scheduler, so the producer runs there.
  ///
  /// A subscription that is disposed before the scheduler runs it never reaches the source.
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
