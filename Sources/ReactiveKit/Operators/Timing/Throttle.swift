public import Dispatch

extension SignalProtocol {
  /// Sends the first element immediately, and then at most one element every `seconds`.
  ///
  /// If `latest` is true, sends the newest element of each interval. Otherwise, sends the first
  /// element after each interval. On completion, immediately sends an element that waits for its
  /// interval. A failure drops it. All events are delivered on the queue.
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

  /// Sends the first element immediately, and then at most one element every `seconds` of the
  /// scheduler's time. All events are delivered on the scheduler.
  public func throttle(
    for seconds: Double, scheduler: some TimedScheduler, latest: Bool = true
  ) -> Signal<Element, Error> {
    throttleInPlace(for: seconds, scheduler: scheduler, latest: latest).receive(on: scheduler)
  }

  /// Throttles like `throttle(for:scheduler:latest:)`, but sends immediate events on the thread of
  /// the source.
  func throttleInPlace(
    for seconds: Double, scheduler: some TimedScheduler, latest: Bool
  ) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      typealias Waiting = Carried<Element>
      typealias State = ThrottleState<Waiting>
      let serializer = EventSerializer<State, Waiting, Error>(
        State(), Waiting.unpacking(observer), chain)
      let alarm = Alarm(scheduler, chain, carriesContext: false)
      let interval = nanoseconds(seconds)
      // The due time counts from the start of the interval, regardless of how long the observer
      // took.
      func setAlarm(due: UInt64) {
        let now = alarm.now
        alarm.set(after: due > now ? due - now : 0) {
          let next = later(alarm.now, by: interval)
          let isSent = serializer.update { state, emitter in
            guard let element = state.waiting.take() else {
              state.isIntervalRunning = false
              return false
            }
            emitter.send(.next(element))
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
            let (isFirst, _) = serializer.update { state, emitter -> (Bool, Waiting?) in
              guard state.isIntervalRunning else {
                state.isIntervalRunning = true
                emitter.send(.next(element))
                return (true, nil)
              }
              let outdated = state.waiting
              if latest { state.waiting = element }
              return (false, outdated)
            }
            if isFirst { setAlarm(due: due) }
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

private struct ThrottleState<Element> {
  var isIntervalRunning = false
  var waiting: Element?
}
