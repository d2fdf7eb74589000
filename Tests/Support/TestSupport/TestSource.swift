package import ReactiveKit

/// A signal that plays a marble string, and notes when it is subscribed to and disposed.
package final class TestSource: SignalProtocol {
  package typealias Element = String
  package typealias Error = TestError

  private let time: VirtualScheduler
  private let log = Locked<[Lifetime]>([])
  private let start: (AtomicObserver<String, TestError>) -> any Disposable

  /// Creates a source that plays the events from the start for each subscription.
  package init(cold marbles: String, _ time: VirtualScheduler) {
    self.time = time
    let events = Marbles.parse(marbles)
    start = { observer in
      let timers = CompositeDisposable()
      for event in events {
        timers += time.schedule(after: UInt64(event.time) * 1_000_000_000) {
          observer.on(event.event)
        }
      }
      return timers
    }
  }

  /// Creates a source that plays the events once, from now on. Observers get the events that arrive
  /// while they are subscribed.
  package init(hot marbles: String, _ time: VirtualScheduler) {
    self.time = time
    let subject = PassthroughSubject<String, TestError>()
    for event in Marbles.parse(marbles) {
      _ = time.schedule(after: UInt64(event.time) * 1_000_000_000) { subject.on(event.event) }
    }
    start = { observer in subject.observe(with: observer.on) }
  }

  /// The lifetimes of the subscriptions so far, in the order in which they began.
  package var lifetimes: [Lifetime] {
    log.withLock { $0 }
  }

  package func observe(with observer: @escaping Observer<String, TestError>) -> any Disposable {
    signal.observe(with: observer)
  }

  /// This source as a `Signal`.
  package var signal: Signal<String, TestError> {
    Signal { [self] observer in
      let index = log.withLock { log in
        log.append(Lifetime(time.second, nil))
        return log.count - 1
      }
      let started = start(observer)
      return BlockDisposable { [self] in
        started.dispose()
        let second = time.second
        log.withLock { $0[index].disposed = second }
      }
    }
  }
}

extension VirtualScheduler {
  /// The number of whole seconds since the scheduler was created.
  package var second: Int { Int(now / 1_000_000_000) }
}
