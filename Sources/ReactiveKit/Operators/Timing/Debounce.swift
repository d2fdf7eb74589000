public import Dispatch

extension SignalProtocol {
  /// Sends an element once `seconds` have passed without a newer one.
  ///
  /// On completion, sends a waiting element immediately. A failure drops it.
  ///
  ///     source            --1-2-3-----4-|
  ///     debounce(for: 3)  ---------3----(4|)
  public func debounce(
    for seconds: Double, queue: DispatchQueue = DispatchQueue(label: "reactive_kit.debounce")
  ) -> Signal<Element, Error> {
    debounce(for: seconds, scheduler: queue)
  }

  /// Sends an element once `seconds` of the scheduler's time have passed without a newer one.
  public func debounce(for seconds: Double, scheduler: some TimedScheduler)
    -> Signal<Element, Error>
  {
    Signal(source: { observer, chain in
      typealias Waiting = Carried<Element>
      typealias State = DebounceState<Waiting>
      let serializer = EventSerializer<State, Waiting, Error>(
        State(), Waiting.unpacking(observer), chain)
      let alarm = Alarm(scheduler, chain, carriesContext: false)
      let interval = nanoseconds(seconds)
      // Only one timer runs at a time. Elements only move the due time that it checks.
      func setAlarm(after delay: UInt64) {
        alarm.set(after: delay) {
          let now = alarm.now
          let remaining = serializer.update { state, emitter -> UInt64? in
            if state.waiting != nil, state.due > now { return state.due - now }
            state.isAlarmSet = false
            if let element = state.waiting.take() { emitter.send(.next(element)) }
            return nil
          }
          if let remaining { setAlarm(after: remaining) }
        }
      }
      let source = chain.makeSource()
      self._attach(
        { event in
          switch event {
          case .next(let element):
            let element = Waiting(element)
            let due = later(alarm.now, by: interval)
            let (isFirst, _) = serializer.update { state, _ in
              let outdated = state.waiting
              let isFirst = !state.isAlarmSet
              state = State(waiting: element, due: due, isAlarmSet: true)
              return (isFirst, outdated)
            }
            if isFirst { setAlarm(after: interval) }
          case .failed(let error):
            serializer.send(.failed(error))
            source.dispose()
          case .completed:
            serializer.update { state, emitter in
              if let element = state.waiting.take() { emitter.send(.next(element)) }
              emitter.send(.completed)
            }
            source.dispose()
          }
        }, to: source)
    })
  }
}

private struct DebounceState<Element> {
  var waiting: Element?
  var due: UInt64 = 0
  var isAlarmSet = false
}
