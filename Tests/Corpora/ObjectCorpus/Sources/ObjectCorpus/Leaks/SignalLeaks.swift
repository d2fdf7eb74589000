extension ObjectCase {
  /// Subscriptions of a small reactive library of the program.
  static var signalLeaks: [ObjectCase] {
    [
      .leak(
        "signal-of-owner",
        .cycle(
          ["CounterView.values", "Signal.observers", "closure.self"],
          leaked: ["CounterView": 1, "Signal": 1])
      ) {
        CounterView().setUp()
      },
      .leak(
        "signal-disposable",
        .cycle(
          [
            "ClockView.subscription", "Disposable.body", "closure.self", "Signal.observers",
            "closure.view",
          ],
          leaked: ["ClockView": 1, "Signal": 1, "Disposable": 1])
      ) {
        let view = ClockView()
        let signal = Signal<Int>()
        view.subscription = signal.observe { view.time = $0 }  // closure: signal-disposable
      },
      .leak(
        "signal-bag",
        .cycle(
          [
            "BagView.bag", "DisposeBag.disposables", "Disposable.body", "closure.self",
            "Signal.observers", "closure.self",
          ],
          leaked: ["BagView": 1, "DisposeBag": 1, "Signal": 2, "Disposable": 2])
      ) {
        BagView().setUp(Signal(), Signal())
      },
      // The reachable signal has a weak reference to the leaked one, whose side table has its
      // address.
      .leak(
        "signal-map",
        .cycle(
          ["MapView.names", "Signal.observers", "closure.self"],
          leaked: ["MapView": 1, "Signal": 1]),
        alive: ["Signal": 1]
      ) {
        MapView(numbers: Source.numbers).setUp()
      },
      .leak(
        "signal-relays",
        .cycle(
          ["Signal.observers", "closure.target", "Signal.observers", "closure.target"],
          leaked: ["Signal": 2])
      ) {
        let one = Signal<Int>()
        let other = Signal<Int>()
        forward(one, to: other)
        forward(other, to: one)
      },
    ]
  }
}

private final class Signal<Value> {
  private var observers: [Int: (Value) -> Void] = [:]
  private var lastKey = 0

  init() { Life.begin(self, "Signal") }
  deinit { Life.end("Signal") }

  func send(_ value: Value) {
    for observer in observers.values { observer(value) }
  }

  @discardableResult
  func observe(_ observer: @escaping (Value) -> Void) -> Disposable {
    lastKey += 1
    let key = lastKey
    observers[key] = observer
    return Disposable { self.observers[key] = nil }
  }

  func map<Output>(_ transform: @escaping (Value) -> Output) -> Signal<Output> {
    let result = Signal<Output>()
    observe { [weak result] in result?.send(transform($0)) }
    return result
  }
}

private final class Disposable {
  private var body: (() -> Void)?

  init(_ body: @escaping () -> Void) {
    self.body = body
    Life.begin(self, "Disposable")
  }
  deinit { Life.end("Disposable") }

  func dispose() {
    body?()
    body = nil
  }
}

private final class DisposeBag {
  private var disposables: [Disposable] = []

  init() { Life.begin(self, "DisposeBag") }
  deinit {
    for disposable in disposables { disposable.dispose() }
    Life.end("DisposeBag")
  }

  func add(_ disposable: Disposable) { disposables.append(disposable) }
}

private enum Source {
  static let numbers = Signal<Int>()
}

@inline(never)
private func forward(_ source: Signal<Int>, to target: Signal<Int>) {
  source.observe { if $0 < 3 { target.send($0 + 1) } }  // closure: signal-relays
}

private final class CounterView {
  private let values = Signal<Int>()
  private var last = 0

  init() { Life.begin(self, "CounterView") }
  deinit { Life.end("CounterView") }

  func setUp() {
    values.observe { self.last = $0 }  // closure: signal-of-owner
  }
}

private final class ClockView {
  var subscription: Disposable?
  var time = 0

  init() { Life.begin(self, "ClockView") }
  deinit { Life.end("ClockView") }
}

private final class BagView {
  private let bag = DisposeBag()
  private var last = 0

  init() { Life.begin(self, "BagView") }
  deinit { Life.end("BagView") }

  func setUp(_ signals: Signal<Int>...) {
    for signal in signals {
      bag.add(signal.observe { self.last = $0 })  // closure: signal-bag
    }
  }
}

private final class MapView {
  private let names: Signal<String>
  private var text = ""

  init(numbers: Signal<Int>) {
    names = numbers.map { "\($0)" }
    Life.begin(self, "MapView")
  }
  deinit { Life.end("MapView") }

  func setUp() {
    names.observe { self.text = $0 }  // closure: signal-map
  }
}
