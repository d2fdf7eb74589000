package import ReactiveKit

/// A signal that plays a marble string, and notes when it is observed and disposed.
package final class TestSource: SignalProtocol {
  package typealias Element = String
  package typealias Error = TestError

  private let time: VirtualScheduler
  private let log = Locked<[Lifetime]>([])
  private let start: (AtomicObserver<String, TestError>) -> any Disposable

  /// Plays the events anew for each observation, from its beginning on.
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

  /// Plays the events once, from now on; observers get those that come while they observe.
  package init(hot marbles: String, _ time: VirtualScheduler) {
    self.time = time
    let subject = PassthroughSubject<String, TestError>()
    for event in Marbles.parse(marbles) {
      _ = time.schedule(after: UInt64(event.time) * 1_000_000_000) { subject.on(event.event) }
    }
    start = { observer in subject.observe(with: observer.on) }
  }

  /// The observations so far, in the order in which they began.
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
  /// Whole seconds since the scheduler was made.
  package var second: Int { Int(now / 1_000_000_000) }
}
