public import Dispatch

extension Signal {
  /// Sends one element after `interval` seconds and completes.
  ///
  ///     Signal(just: 1, after: 3)  ---(1|)
  public init(
    just element: Element, after interval: Double,
    queue: DispatchQueue = DispatchQueue(label: "reactive_kit.just_after")
  ) {
    self.init(just: element, after: interval, scheduler: queue)
  }

  /// Sends one element after `interval` seconds of a scheduler's time and completes.
  public init(just element: Element, after interval: Double, scheduler: some TimedScheduler) {
    self.init(source: { observer, chain in
      let send = Tracing.carrying {
        guard !chain.isDisposed else { return }
        observer(.next(element))
        if !chain.isDisposed { observer(.completed) }
      }
      chain.attach(disposable: scheduler.schedule(after: nanoseconds(interval), send))
    })
  }

  /// Sends the elements of a sequence, one every `interval` seconds, the first after one interval, and completes one
  /// interval after the last. The sequence is asked for each element when it is due.
  ///
  ///     Signal(sequence: 1...3, interval: 2)  --1-2-3-|
  public init<S: Sequence>(
    sequence: S, interval: Double,
    queue: DispatchQueue = DispatchQueue(label: "reactive_kit.sequence_interval")
  ) where S.Element == Element {
    self.init(sequence: sequence, interval: interval, scheduler: queue)
  }

  /// Sends the elements of a sequence, one every `interval` seconds of a scheduler's time.
  public init<S: Sequence>(sequence: S, interval: Double, scheduler: some TimedScheduler)
  where S.Element == Element {
    self.init(source: { observer, chain in
      SequenceTimer(
        sequence.makeIterator(), interval: nanoseconds(interval), scheduler: scheduler,
        observer: observer, chain: chain
      ).start()
    })
  }
}

/// Sends an iterator's elements at an interval, each timer set for the time the element is due, so that delays of the
/// queue do not add up.
private final class SequenceTimer<Iterator: IteratorProtocol, Error: Swift.Error> {
  private let interval: UInt64
  private let observer: Observer<Iterator.Element, Error>
  private let chain: ChainDisposable
  private let alarm: Alarm
  // Touched by one timer block at a time: the next is set by the one before it.
  private var iterator: Iterator
  private var due: UInt64 = 0

  init(
    _ iterator: Iterator, interval: UInt64, scheduler: some TimedScheduler,
    observer: @escaping Observer<Iterator.Element, Error>, chain: ChainDisposable
  ) {
    self.iterator = iterator
    self.interval = interval
    self.observer = observer
    self.chain = chain
    alarm = Alarm(scheduler, chain)
  }

  func start() {
    due = alarm.now
    setTimer()
  }

  private func setTimer() {
    guard !chain.isDisposed else { return }
    due = later(due, by: interval)
    let now = alarm.now
    alarm.set(after: due > now ? due - now : 0) { [self] in fire() }
  }

  private func fire() {
    guard !chain.isDisposed else { return }
    let next = iterator.next()
    // Asked again: the iterator is code of a user.
    guard !chain.isDisposed else { return }
    guard let element = next else { return observer(.completed) }
    observer(.next(element))
    setTimer()
  }
}
