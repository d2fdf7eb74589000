import Dispatch
import ReactiveKit
import ReactiveTrace

/// Observations of every kind, mostly never disposed, for logs in which all observations are
/// traced.
enum ObservingSituations {
  private static let kept = Locked((subject: PassthroughSubject<Int, Never>(), bag: DisposeBag()))
  private static var subject: PassthroughSubject<Int, Never> { kept.withLock { $0.subject } }
  private static var bag: DisposeBag { kept.withLock { $0.bag } }

  /// Leaves one observation of each kind of lane active, and one without a lane.
  static func laned() {
    let (subject, bag) = kept.withLock { $0 }
    subject.lane("plain").observeNext { _ in }.dispose(in: bag)
    subject.lane("mapped").map { $0 + 1 }.observeNext { _ in }.dispose(in: bag)
    subject.lane("debounced").debounce(for: 60).observeNext { _ in }.dispose(in: bag)
    subject.lane("received").receive(on: DispatchQueue(label: "observing"))
      .observeNext { _ in }.dispose(in: bag)
    subject.lane("prepended").prepend(1).observeNext { _ in }.dispose(in: bag)
    subject.lane("process", lifetime: .process).observeNext { _ in }.dispose(in: bag)
    subject.observeNext { _ in }.dispose(in: bag)
  }

  /// Observes pipelines in which each lane covers only a part.
  static func joined() {
    let (subject, bag) = kept.withLock { $0 }
    subject.lane("left").combineLatest(with: subject.lane("right"))
      .observeNext { _ in }.dispose(in: bag)
    Signal<Int, Never>(just: 1).flatMapLatest { _ in subject.lane("inner") }
      .observeNext { _ in }.dispose(in: bag)
  }

  /// Observes two elements by iterating.
  static func values() {
    let done = DispatchSemaphore(value: 0)
    Task {
      await iterate()
      done.signal()
    }
    done.wait()
  }

  private static func iterate() async {
    for await _ in Signal<Int, Never>(sequence: [1, 2]).values {}
  }

  /// Makes a shared signal that stays connected without observers, and a connection with `connect`.
  static func keepAlive() {
    let shared = subject.share(keepAlive: true)
    shared.observeNext { _ in }.dispose()
    subject.publish().connect().dispose(in: bag)
  }

  /// Makes shared signals whose first observer leaves while a later one stays, with and without
  /// lanes on the observers. In the third signal, every observer except the last one leaves.
  static func shared() {
    let (subject, bag) = kept.withLock { $0 }
    let laned = subject.lane("laned.source").share(limit: 1)
    let first = laned.lane("first").observeNext { _ in }
    laned.lane("second").observeNext { _ in }.dispose(in: bag)
    first.dispose()
    let plain = subject.lane("plain.source").share(limit: 1)
    let early = plain.observeNext { _ in }
    plain.observeNext { _ in }.dispose(in: bag)
    early.dispose()
    let inner = PassthroughSubject<Int, Never>()
    let relayed = subject.flatMapLatest { _ in inner.lane("inner") }.share(limit: 1)
    var running = relayed.lane("runner").observeNext { _ in }
    for _ in 0..<3 {
      let next = relayed.lane("runner").observeNext { _ in }
      running.dispose()
      running = next
    }
    subject.send(1)
    running.dispose(in: bag)
  }

  /// Observes at one location under `count` different call stacks. All observations stay active.
  static func stacks(_ count: Int) {
    for number in 0..<count { descend(number, levels: 14) }
  }

  private static func descend(_ path: Int, levels: Int) {
    if levels == 0 {
      subject.observeNext { _ in }.dispose(in: bag)
    } else if path % 2 == 0 {
      descend(path / 2, levels: levels - 1)
    } else {
      descend(path / 2, levels: levels - 1)
    }
  }

  /// Lists the active subscriptions repeatedly and reports whether the names differ.
  static func ask(_ count: Int) {
    laned()
    let first = Trace.activeSubscriptions.map(\.lane)
    for _ in 0..<count where Trace.activeSubscriptions.map(\.lane) != first {
      Modes.report("the answers differ\n")
    }
    let file = first.last.flatMap { $0.split(separator: ":").first }
    Modes.report("\(file ?? "nothing is alive")\n")
  }
}
