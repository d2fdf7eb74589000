import ReactiveKit
import Synchronization
import TraceFormat

/// What `debug` and `breakpoint` do with one observation, beside tracing it.
struct Watch<Element, Error: Swift.Error> {
  var began: () -> Void = {}
  /// Before the event goes on.
  var event: (Signal<Element, Error>.Event) -> Void
  /// The observation was disposed before its end.
  var disposed: () -> Void = {}
}

extension SignalProtocol {
  /// Traces each observation where there is a recorder that wants the lane, and watches it whether there is one or not.
  /// `makeWatch` is given the subscription if it is traced, and its number.
  func watched(
    _ site: TraceSite,
    _ makeWatch: @escaping (TracedSubscription?, Int) -> Watch<Element, Error>
  ) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      let recorder = Recorder.current.flatMap { $0.wants(site.lane, .all) ? $0 : nil }
      let probe = recorder.map {
        Probe<Element, Error>(
          $0, ValueWriter(nil, .all, $0), site: site, chain: chain, livesUntilExit: false)
      }
      let watch = makeWatch(
        probe?.subscription, probe?.subscription.id ?? UntracedNumbers.counter.next())
      let watcher = Watcher(watch)
      watch.began()
      chain.attach(watcher)
      guard !chain.isDisposed else {
        probe?.subscription.disposed()
        return
      }
      let watchedObserver: Observer<Element, Error> = { event in
        watcher.see(event)
        if !chain.isDisposed { observer(event) }
      }
      if let probe {
        probe.observe(self, watchedObserver, chain)
      } else {
        self._attach(watchedObserver, to: chain)
      }
    })
  }
}

/// Numbers of observations that are printed and not traced.
private enum UntracedNumbers {
  static let counter = Counter()
}

/// Sees the events and the disposal of one observation.
private final class Watcher<Element, Error: Swift.Error>: Detachable {
  private let watch: Watch<Element, Error>
  private let isOver = Atomic<Bool>(false)

  init(_ watch: Watch<Element, Error>) { self.watch = watch }

  func see(_ event: Signal<Element, Error>.Event) {
    if event.isTerminal { isOver.store(true, ordering: .relaxed) }
    watch.event(event)
  }

  func detach(_ key: Int) {
    if !isOver.exchange(true, ordering: .relaxed) { watch.disposed() }
  }
}
