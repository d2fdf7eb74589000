public import Dispatch

extension SignalProtocol {
  /// Sends the newest element every `interval` seconds, if one has arrived since the last time.
  ///
  /// Sends the terminal event immediately, and drops an element that still waits.
  ///
  ///     source               -1-2---3-------|
  ///     sample(interval: 4)  ----2---3------|
  public func sample(
    interval: Double, on queue: DispatchQueue = DispatchQueue(label: "reactive_kit.sample")
  ) -> Signal<Element, Error> {
    sample(interval: interval, scheduler: queue)
  }

  /// Sends the newest element every `interval` seconds of the scheduler's time.
  public func sample(interval: Double, scheduler: some TimedScheduler) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      typealias Waiting = Carried<Element>
      let alarm = Alarm(scheduler, chain, carriesContext: false)
      let serializer = EventSerializer<Waiting?, Waiting, Error>(
        nil, Waiting.unpacking(observer), chain)
      let step = max(1, nanoseconds(interval))
      func setAlarm(due: UInt64) {
        // A timer at the maximum time would never fire.
        guard due < .max else { return }
        let now = alarm.now
        alarm.set(after: due > now ? due - now : 0) {
          let isOver = serializer.update { newest, emitter in
            if let element = newest.take() { emitter.send(.next(element)) }
            return emitter.isTerminated
          }
          // The next time counts from the due time, so that delays do not add up. A queue that
          // falls behind skips the samples it missed.
          if !isOver, !chain.isDisposed { setAlarm(due: max(later(due, by: step), alarm.now)) }
        }
      }
      setAlarm(due: later(alarm.now, by: step))
      func end(_ event: Signal<Waiting, Error>.Event) -> Waiting? {
        serializer.update { newest, emitter in
          emitter.send(event)
          return newest.take()
        }
      }
      let source = chain.makeSource()
      self._attach(
        { event in
          let outdated: Waiting?
          switch event {
          case .next(let element):
            let new = Waiting(element)
            outdated = serializer.update { newest, _ in
              defer { newest = new }
              return newest
            }
          case .failed(let error): outdated = end(.failed(error))
          case .completed: outdated = end(.completed)
          }
          withExtendedLifetime(outdated) {}
          if event.isTerminal { source.dispose() }
        }, to: source)
    })
  }
}
