import Foundation
import ReactiveKit

#if canImport(Combine)
  import Combine
#endif

/// A counter of events without a value.
final class TapCounter: ReactiveKit.Subscriber {
  typealias Input = Void
  typealias Failure = Never

  var taps = 0

  func receive(subscription: ReactiveKit.Subscription) { subscription.request(.unlimited) }

  func receive(_ input: Void) -> ReactiveKit.Subscribers.Demand {
    taps += 1
    return .unlimited
  }

  func receive(completion: ReactiveKit.Subscribers.Completion<Never>) {}
}

final class Settings: ReactiveKit.ObservableObject {
  @ReactiveKit.Published var volume = 1
}

/// Shares any connectable signal.
func shared<C: ConnectableSignalProtocol>(_ connectable: C) -> Signal<C.Element, C.Error> {
  return connectable.refCount()
}

func subscribingClient() -> [String] {
  let bag = DisposeBag()
  var log: [String] = []

  let counter = TapCounter()
  _ = counter.receive()
  SafeSignal(just: ()).subscribe(counter)
  log.append("\(counter.taps) taps")

  var starts = 0
  let source = Signal<Int, Never> { observer in
    starts += 1
    observer.receive(lastElement: 1)
    return NonDisposable.instance
  }
  let once = shared(source.replay(limit: 1))
  once.observeNext { log.append("shared \($0)") }.dispose(in: bag)
  log.append("\(starts) start")

  log.append("\(ReplaySubject<Int, Never>(bufferSize: 3).bufferSize)")
  log.append("\(ReplayLoadingValueSubject<Int, URLError, Never>(bufferSize: 2).bufferSize)")
  let observer = AnyObserver<Int, Never>(observer: { _ in log.append("event") })
  observer.observer(.next(1))

  let settings = Settings()
  settings.objectWillChange.observeNext { log.append("will change") }.dispose(in: bag)
  settings.volume = 2
  settings.$volume.observeNext { log.append("volume \($0)") }.dispose(in: bag)

  let older: OlderNames = CallsOfOlderNames()
  log += older.log

  #if canImport(Combine)
    let publisher = SafeSignal(just: 1).toPublisher()
    publisher.toSignal().observeNext { _ in }.dispose(in: bag)
    Just(1).toSignal().observeNext { _ in }.dispose(in: bag)
  #endif

  bag.dispose()
  return log
}

// Called through a protocol, because calling a deprecated function directly is a warning.
private protocol OlderNames {
  var log: [String] { get }
}

private struct CallsOfOlderNames: OlderNames {
  @available(*, deprecated)
  var log: [String] {
    var log: [String] = []
    let disposable = SimpleDisposable()
    let atomic = AtomicObserver<Int, Never>(
      disposable: disposable, observer: { _ in log.append("event") })
    atomic.next(1)
    atomic.dispose()
    log.append("\(disposable.isDisposed)")
    return log
  }
}
