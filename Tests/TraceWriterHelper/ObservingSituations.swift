import Dispatch
import ReactiveKit
import ReactiveTrace

/// Observations of every kind, most of which nobody disposes, for logs in which all of them are traced.
enum ObservingSituations {
  private static let kept = Locked((subject: PassthroughSubject<Int, Never>(), bag: DisposeBag()))
  private static var subject: PassthroughSubject<Int, Never> { kept.withLock { $0.subject } }
  private static var bag: DisposeBag { kept.withLock { $0.bag } }

  /// Leaves one laned observation of each shape alive, and one that has no lane.
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

  /// Lanes that are a part of an observation, not the whole of it.
  static func joined() {
    let (subject, bag) = kept.withLock { $0 }
    subject.lane("left").combineLatest(with: subject.lane("right"))
      .observeNext { _ in }.dispose(in: bag)
    Signal<Int, Never>(just: 1).flatMapLatest { _ in subject.lane("inner") }
      .observeNext { _ in }.dispose(in: bag)
  }

  /// Observes by iterating, and takes two elements.
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

  /// A shared signal that stays connected when its only observer has gone.
  static func keepAlive() {
    let shared = subject.share(keepAlive: true)
    shared.observeNext { _ in }.dispose()
    subject.publish().connect().dispose(in: bag)
  }

  /// Shared signals whose first observer leaves while a later one stays, with and without lanes of
  /// the observers. A third one goes on to each next observer.
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

  /// Observes at one location under as many different call stacks, and keeps all the observations.
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

  /// Lists the live subscriptions again and again.
  static func ask(_ count: Int) {
    laned()
    let first = Trace.activeSubscriptions.map(\.lane)
    for _ in 0..<count where Trace.activeSubscriptions.map(\.lane) != first {
      Modes.tell("the answers differ\n")
    }
    let file = first.last.flatMap { $0.split(separator: ":").first }
    Modes.tell("\(file ?? "nothing is alive")\n")
  }
}
