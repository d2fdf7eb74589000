public import Dispatch

extension Signal {
  /// Creates a signal that sends one element after `interval` seconds and completes.
  ///
  ///     Signal(just: 1, after: 3)  ---(1|)
  public init(
    just element: Element, after interval: Double,
    queue: DispatchQueue = DispatchQueue(label: "reactive_kit.just_after")
  ) {
    self.init(just: element, after: interval, scheduler: queue)
  }

  /// Creates a signal that sends one element after `interval` seconds of the scheduler's time and
  /// completes.
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

  /// Creates a signal that sends the elements of a sequence, one every `interval` seconds. The
  /// first element comes after one interval. The signal completes one interval after the last
  /// element. The signal asks the sequence for each element when the element is due.
  ///
  ///     Signal(sequence: 1...3, interval: 2)  --1-2-3-|
  public init<S: Sequence>(
    sequence: S, interval: Double,
    queue: DispatchQueue = DispatchQueue(label: "reactive_kit.sequence_interval")
  ) where S.Element == Element {
    self.init(sequence: sequence, interval: interval, scheduler: queue)
  }

  /// Creates a signal that sends the elements of a sequence, one every `interval` seconds of the
  /// scheduler's time.
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

/// A sender of an iterator's elements at an interval. Each timer is set for the time when its
/// element is due, so that delays of the queue do not add up.
private final class SequenceTimer<Iterator: IteratorProtocol, Error: Swift.Error> {
  private let interval: UInt64
  private let observer: Observer<Iterator.Element, Error>
  private let chain: ChainDisposable
  private let alarm: Alarm
  // Only one timer block at a time touches these variables, because each block sets the next timer.
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
    // Checked again, because the iterator is user code.
    guard !chain.isDisposed else { return }
    guard let element = next else { return observer(.completed) }
    observer(.next(element))
    setTimer()
  }
}
