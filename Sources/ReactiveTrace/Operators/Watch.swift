public import ReactiveKit
import Synchronization
import TraceFormat

/// The actions of `debug` and `breakpoint` in one observation, in addition to tracing it.
struct Watch<Element, Error: Swift.Error> {
  var began: () -> Void = {}
  /// The action to take before an event is forwarded.
  var event: (Signal<Element, Error>.Event) -> Void
  /// The action to take when the observation is disposed before its end.
  var disposed: () -> Void = {}
}

extension SignalProtocol {
  /// Returns a signal that always watches each observation, and also traces it if a recorder wants
  /// the lane. `makeWatch` receives the subscription if it is traced, and its number.
  func watched(
    _ site: TraceSite,
    _ makeWatch: @escaping (TracedSubscription?, Int) -> Watch<Element, Error>
  ) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      let probe = Recorder.current.flatMap { recorder in
        recorder.wanted(site, Element.self, .all).map {
          Probe<Element, Error>(
            recorder, ValueWriter(nil, .all, recorder), site: $0, chain: chain,
            livesUntilExit: false)
        }
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
        watcher.handle(event)
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

/// The numbers of observations that are watched but not traced.
enum UntracedNumbers {
  static let counter = Counter()
}

/// A watcher that sees the events and the disposal of one observation.
@usableFromInline
final class Watcher<Element, Error: Swift.Error>: Detachable {
  private let watch: Watch<Element, Error>
  private let hasEnded = Atomic<Bool>(false)

  init(_ watch: Watch<Element, Error>) { self.watch = watch }

  @usableFromInline
  func handle(_ event: Signal<Element, Error>.Event) {
    if event.isTerminal { hasEnded.store(true, ordering: .relaxed) }
    watch.event(event)
  }

  @usableFromInline
  package func detach(_ key: Int) {
    if !hasEnded.exchange(true, ordering: .relaxed) { watch.disposed() }
  }
}

// It retains what the user observes, unlike the recorder's other objects.
extension Watcher: PlaysRole {
  static var objectRole: ObjectRole { .downstream }
}
