public import Dispatch

extension SignalProtocol {
  /// Sends each event `interval` seconds later, including the terminal event.
  ///
  ///     source              --1--2--|
  ///     delay(interval: 2)  ----1--2--|
  public func delay(
    interval: Double, on queue: DispatchQueue = DispatchQueue(label: "reactive_kit.delay")
  ) -> Signal<Element, Error> {
    delay(interval: interval, scheduler: queue)
  }

  /// Sends each event `interval` seconds of the scheduler's time later, including the terminal
  /// event.
  public func delay(interval: Double, scheduler: some TimedScheduler) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      typealias State = DelayState<Element, Error>
      typealias Waiting = State.Waiting
      // The events travel as elements, so the terminal event also arrives in the context in which
      // it was sent.
      let serializer = EventSerializer<State, Waiting, Never>(
        State(), Waiting.unpacking { if case .next(let event) = $0 { observer(event) } }, chain)
      let alarm = Alarm(scheduler, chain, carriesContext: false)
      let interval = nanoseconds(interval)
      func setAlarm(after delay: UInt64) {
        alarm.set(after: delay) {
          let now = alarm.now
          let due = serializer.update { state, emitter in state.sendDue(now, &emitter) }
          guard let due else { return }
          // The time is read again because the observer may have been slow.
          let time = alarm.now
          setAlarm(after: due > time ? due - time : 0)
        }
      }
      let source = chain.makeSource()
      self._attach(
        { event in
          let due = later(alarm.now, by: interval)
          let waiting = Waiting(event)
          let isFirst = serializer.update { state, _ in
            state.waiting.append((due, waiting))
            defer { state.isAlarmSet = true }
            return !state.isAlarmSet
          }
          if isFirst { setAlarm(after: interval) }
          if event.isTerminal { source.dispose() }
        }, to: source)
    })
  }
}

private struct DelayState<Element, Error: Swift.Error> {
  typealias Waiting = Carried<Signal<Element, Error>.Event>

  var waiting = FIFO<(due: UInt64, event: Waiting)>()
  var isAlarmSet = false
  // The event that was taken from the queue before it was due.
  private var next: (due: UInt64, event: Waiting)?

  /// Sends the events that are due. Returns the time when the next event is due, or nil if none
  /// waits.
  mutating func sendDue<Outer>(
    _ now: UInt64, _ emitter: inout EventSerializer<Outer, Waiting, Never>.Emitter
  ) -> UInt64? {
    while let entry = next ?? waiting.popFirst() {
      guard entry.due <= now else {
        next = entry
        return entry.due
      }
      next = nil
      emitter.send(.next(entry.event))
    }
    isAlarmSet = false
    return nil
  }
}
