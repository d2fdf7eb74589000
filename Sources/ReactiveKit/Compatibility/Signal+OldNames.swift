public import Dispatch

// ReactiveKit 3.0 and 3.7 use these names for creating signals and for choosing where they run.
extension Signal {
  @available(*, deprecated, renamed: "init(just:)")
  public static func just(_ element: Element) -> Signal<Element, Error> { Signal(just: element) }

  @available(*, deprecated, renamed: "init(sequence:)")
  public static func sequence<S: Sequence>(_ sequence: S) -> Signal<Element, Error>
  where S.Element == Element {
    Signal(sequence: sequence)
  }

  @available(*, deprecated, renamed: "init(just:after:queue:)")
  public static func timer(
    element: Element, time: Double,
    queue: DispatchQueue = DispatchQueue(label: "reactive_kit.timer")
  ) -> Signal<Element, Error> {
    Signal(just: element, after: time, queue: queue)
  }
}

extension Signal {
  /// Returns a signal that sends 0, 1, 2 and so on, one every `interval` seconds. The signal type
  /// that you call this method on can have any element type.
  @available(*, deprecated, renamed: "init(sequence:interval:queue:)")
  @_disfavoredOverload
  public static func interval(
    _ interval: Double, queue: DispatchQueue = DispatchQueue(label: "reactive_kit.interval")
  ) -> Signal<Int, Error> {
    Signal<Int, Error>(sequence: 0..., interval: interval, queue: queue)
  }
}

extension Signal where Element == Int {
  /// Returns a signal that sends 0, 1, 2 and so on, one every `interval` seconds.
  @available(*, deprecated, renamed: "init(sequence:interval:queue:)")
  public static func interval(
    _ interval: Double, queue: DispatchQueue = DispatchQueue(label: "reactive_kit.interval")
  ) -> Signal<Int, Error> {
    Signal(sequence: 0..., interval: interval, queue: queue)
  }
}

extension SignalProtocol {
  @available(*, deprecated, renamed: "subscribe(on:)")
  public func executeOn(_ queue: DispatchQueue) -> Signal<Element, Error> { subscribe(on: queue) }

  @available(*, deprecated, renamed: "subscribe(on:)")
  public func executeIn(_ context: ExecutionContext) -> Signal<Element, Error> {
    subscribe(on: context)
  }

  @available(*, deprecated, renamed: "receive(on:)")
  public func observeOn(_ queue: DispatchQueue) -> Signal<Element, Error> { receive(on: queue) }

  @available(*, deprecated, renamed: "receive(on:)")
  public func observeIn(_ context: ExecutionContext) -> Signal<Element, Error> {
    receive(on: context)
  }

  @available(*, deprecated, renamed: "share(limit:)")
  public func shareReplay(limit: Int = Int.max) -> Signal<Element, Error> { share(limit: limit) }
}

extension DispatchQueue {
  /// Runs the block after the given number of seconds.
  @available(*, deprecated, renamed: "disposableAfter(when:block:)")
  public func after(when seconds: Double, block: @escaping () -> Void) {
    _ = disposableAfter(when: seconds, block: block)
  }
}
