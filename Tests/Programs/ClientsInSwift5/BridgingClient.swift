import Foundation
import ReactiveKit

/// A subject that replays all its elements to new observers.
final class History: Subject<Int, Never> {
  private var kept: [Int] = []

  override func receive(event: Signal<Int, Never>.Event) {
    if case .next(let element) = event { kept.append(element) }
    super.receive(event: event)
  }

  override func willAdd(observer: @escaping Observer<Int, Never>) {
    for element in kept { observer(.next(element)) }
  }
}

/// A request that calls back once, as in promise libraries.
struct Request {
  let number: Int

  func start(_ completion: (Int) -> Void) { completion(number) }
}

func future(_ request: Request) -> Future<Int, FetchError> {
  return Future { promise in
    request.start { promise(.success($0)) }
  }
}

func nothing() -> some Disposable { return NonDisposable.instance }

/// Makes states for any type of loading signal.
func cached<S: SignalProtocol>(_ type: S.Type, _ value: S.Element.LoadingValue) -> [Bool]
where S.Element: LoadingStateProtocol, S.Error == Never {
  let signals = [S.loading(), S.loaded(value)]
  return signals.flatMap { $0.waitAndCollectElements().map { $0.isLoading } }
}

/// Joins two signals with a serial disposable, like custom operators of clients.
func joined(_ first: SafeSignal<Int>, _ second: SafeSignal<Int>) -> SafeSignal<Int> {
  return Signal { observer in
    let serial = SerialDisposable(otherDisposable: nil)
    serial.otherDisposable = first.observe { event in
      switch event {
      case .next(let element): observer.receive(element)
      case .completed: serial.otherDisposable = second.observe(with: observer.on)
      }
    }
    return serial
  }
}

func bridgingClient() -> [String] {
  let bag = DisposeBag()
  var log: [String] = []

  future(Request(number: 1)).observeNext { log.append("answer \($0)") }.dispose(in: bag)

  let events = Signal<Signal<Int, FetchError>.Event, FetchError>(
    sequence: [.next(1), .failed(.offline)])
  let numbers: Signal<Int, FetchError> = events.dematerialize()
  numbers.observeFailed { log.append("dematerialized \($0)") }.dispose(in: bag)

  let states = Signal<LoadingState<Int, FetchError>, FetchError>(sequence: [.loading, .loaded(2)])
  states.shareReplayValues().observeNext { state in
    if let value = state.value { log.append("replayed \(value)") }
  }.dispose(in: bag)
  let connectable = states.replayValues(limit: 1)
  connectable.connect().dispose(in: bag)

  let history = History()
  history.send(3)
  history.observeNext { log.append("history \($0)") }.dispose(in: bag)

  let flag = SimpleDisposable()
  flag.isDisposed = true
  let none: NonDisposable = .instance
  nothing().dispose(in: bag)
  log.append("\(flag.isDisposed) \(none.isDisposed)")

  log.append("\(cached(LoadingSignal<Int, FetchError>.self, 1))")
  let loading: LoadingSignal<Int, FetchError> = .loading()
  loading.flatMapLatest { _ -> LoadingSignal<Int, FetchError> in .failed(.offline) }
    .observeNext { log.append($0.error == nil ? "none" : "failed") }.dispose(in: bag)

  let subject = PassthroughSubject<Int, Never>()
  joined(SafeSignal(just: 4), subject.toSignal())
    .observeNext { log.append("joined \($0)") }.dispose(in: bag)
  subject.send(5)

  let older: BridgesOfOlderNames = CallsOfOlderBridges()
  log += older.log
  bag.dispose()
  return log
}

// Called through a protocol, because calling a deprecated function directly is a warning.
private protocol BridgesOfOlderNames {
  var log: [String] { get }
}

private struct CallsOfOlderBridges: BridgesOfOlderNames {
  @available(*, deprecated)
  var log: [String] {
    let bridged = Signal<Int, Never> { observer in
      Request(number: 6).start { observer.receive(lastElement: $0) }
      return observer.disposable
    }
    let unwrapped = bridged.map { [$0, 7] }.unwrap()
    let first = Signal<String, Never>.interval(0.001).first()
    return (unwrapped.waitAndCollectElements() + first.waitAndCollectElements()).map { "\($0)" }
  }
}
