public import Dispatch

extension SignalProtocol {
  /// Sends the first element at once and then at most one every `seconds`: the newest of the interval if `latest`, else
  /// the first that comes after it. At completion an element that waits for its interval is sent at once; a failure drops
  /// it. All events are delivered on the queue.
  ///
  ///     source                          -1-23-------4--|
  ///     throttle(for: 4)                -1---3------4--|
  ///     throttle(for: 4, latest: false) -1----------4--|
  public func throttle(
    for seconds: Double, queue: DispatchQueue = DispatchQueue(label: "reactive_kit.throttle"),
    latest: Bool = true
  ) -> Signal<Element, Error> {
    throttle(for: seconds, scheduler: queue, latest: latest)
  }

  /// Sends the first element at once and then at most one every `seconds` of a scheduler's time, all on the scheduler.
  public func throttle(
    for seconds: Double, scheduler: some TimedScheduler, latest: Bool = true
  ) -> Signal<Element, Error> {
    throttleInPlace(for: seconds, scheduler: scheduler, latest: latest).receive(on: scheduler)
  }

  /// Throttles without moving events to the scheduler: an element that is sent at once stays on the thread of the source.
  func throttleInPlace(
    for seconds: Double, scheduler: some TimedScheduler, latest: Bool
  ) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      typealias Waiting = Carried<Element>
      typealias State = ThrottleState<Waiting>
      let junction = Junction<State, Waiting, Error>(
        State(), Waiting.unpacking(observer), chain)
      let alarm = Alarm(scheduler, chain, carriesContext: false)
      let interval = nanoseconds(seconds)
      // From when the interval began, however long the observer took.
      func setAlarm(due: UInt64) {
        let now = alarm.now
        alarm.set(after: due > now ? due - now : 0) {
          let next = later(alarm.now, by: interval)
          let isSent = junction.update { state, outlet in
            guard let element = state.waiting.take() else {
              state.isIntervalRunning = false
              return false
            }
            outlet.send(.next(element))
            return true
          }
          if isSent { setAlarm(due: next) }
        }
      }
      let source = chain.makeSource()
      self._attach(
        { event in
          switch event {
          case .next(let element):
            let element = Waiting(element)
            let due = later(alarm.now, by: interval)
            let (isFirst, _) = junction.update { state, outlet -> (Bool, Waiting?) in
              guard state.isIntervalRunning else {
                state.isIntervalRunning = true
                outlet.send(.next(element))
                return (true, nil)
              }
              let outdated = state.waiting
              if latest { state.waiting = element }
              return (false, outdated)
            }
            if isFirst { setAlarm(due: due) }
          case .failed(let error):
            junction.send(.failed(error))
            source.dispose()
          case .completed:
            junction.update { state, outlet in
              if let element = state.waiting.take() { outlet.send(.next(element)) }
              outlet.send(.completed)
            }
            source.dispose()
          }
        }, to: source)
    })
  }
}

private struct ThrottleState<Element> {
  var isIntervalRunning = false
  var waiting: Element?
}
