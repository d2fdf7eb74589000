public import Dispatch

extension SignalProtocol {
  /// Fails with `error` once `seconds` have passed without an event.
  ///
  /// The time counts from the start of the subscription or from the last element.
  ///
  ///     source                       --1--2-----------
  ///     timeout(after: 4, with: e)   --1--2---!
  public func timeout(
    after seconds: Double, with error: Error,
    on queue: DispatchQueue = DispatchQueue(label: "reactive_kit.timeout")
  ) -> Signal<Element, Error> {
    timeout(after: seconds, with: error, scheduler: queue)
  }

  /// Fails with `error` once `seconds` of the scheduler's time have passed without an event.
  public func timeout(after seconds: Double, with error: Error, scheduler: some TimedScheduler)
    -> Signal<Element, Error>
  {
    Signal(source: { observer, chain in
      let alarm = Alarm(scheduler, chain)
      let interval = nanoseconds(seconds)
      let source = chain.makeStage()
      defer { source.didAttach() }
      // The state is the due time of the timeout. Elements only move it.
      let serializer = EventSerializer<UInt64, Element, Error>(
        later(alarm.now, by: interval), observer, chain, stage: source)
      func setAlarm(after delay: UInt64) {
        alarm.set(after: delay) {
          let now = alarm.now
          let remaining = serializer.update { due, emitter -> UInt64? in
            if due > now { return due - now }
            emitter.send(.failed(error))
            return nil
          }
          if let remaining { setAlarm(after: remaining) }
        }
      }
      setAlarm(after: interval)
      self._attach(
        { event in
          let due = later(alarm.now, by: interval)
          serializer.update { state, emitter in
            state = due
            emitter.send(event)
          }
          if event.isTerminal { source.dispose() }
        }, to: source)
    })
  }
}
