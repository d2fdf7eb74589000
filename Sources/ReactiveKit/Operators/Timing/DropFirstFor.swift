import Dispatch

extension SignalProtocol {
  /// Drops the elements of the first `seconds` after the subscription begins. Sends a terminal
  /// event at any time.
  ///
  ///     source             --1--2--3--4--|
  ///     dropFirst(for: 6)  --------3--4--|
  public func dropFirst(for seconds: Double) -> Signal<Element, Error> {
    dropFirst(for: seconds, clock: { DispatchTime.now().uptimeNanoseconds })
  }

  /// Drops the elements of the first `seconds` of the scheduler's time.
  public func dropFirst(for seconds: Double, scheduler: some TimedScheduler)
    -> Signal<Element, Error>
  {
    dropFirst(for: seconds, clock: { scheduler.now })
  }

  private func dropFirst(for seconds: Double, clock: @escaping () -> UInt64)
    -> Signal<Element, Error>
  {
    Signal(source: { observer, chain in
      let end = later(clock(), by: nanoseconds(seconds))
      let isOpen = UncheckedBox(false)
      self._attach(
        { event in
          if event.isNext, !isOpen.value {
            guard clock() >= end else { return }
            isOpen.value = true
          }
          observer(event)
        }, to: chain)
    })
  }
}
