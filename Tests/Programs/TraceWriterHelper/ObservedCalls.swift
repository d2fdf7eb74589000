import Dispatch
import ReactiveKit
import ReactiveTrace
import TestThreads

/// Observations through every kind of call. Each lane's name ends with the line of the observing
/// call.
enum ObservedCalls {
  private final class Screen: Deallocatable {
    let bag = DisposeBag()
    var value = 0
    var deallocated: SafeSignal<Void> { bag.deallocated }
  }

  private struct Failure: Error {}

  private static let kept = Locked((subject: PassthroughSubject<Int, Never>(), bag: DisposeBag()))

  static func all() {
    let (subject, bag) = kept.withLock { $0 }
    simple(subject, bag)
    bound(subject, bag)
    joined(subject, bag)
    later(subject, bag)
    iterated()
    shared(subject, bag)
    send(subject)
    bag.dispose()
  }

  private static func send(_ subject: PassthroughSubject<Int, Never>) {
    for number in 0..<3 { subject.send(number) }
  }

  private static func simple(_ subject: PassthroughSubject<Int, Never>, _ bag: DisposeBag) {
    subject.lane("observeNext:\(#line)").observeNext { _ in }.dispose(in: bag)
    subject.lane("observe:\(#line)").observe { _ in }.dispose(in: bag)
    subject.lane("observeCompleted:\(#line)").observeCompleted {}.dispose(in: bag)
    subject.lane("observeFailed:\(#line)").observeFailed { _ in }.dispose(in: bag)
    subject.lane("sink:\(#line)").sink { _ in }.dispose(in: bag)
    subject.lane("sink-completion:\(#line + 1)")
      .sink(receiveCompletion: { _ in }, receiveValue: { _ in }).dispose(in: bag)
    _ = Signal<Int, Never>(just: 1).lane("wait:\(#line)").waitAndCollectElements()
    let mapped = subject.lane("mapped:\(#line + 1)").map { $0 + 1 }.filter { $0 > 0 }
    mapped.observeNext { _ in }.dispose(in: bag)
    observe(subject.toSignal(), bag)
    subject.toSignal().observeHere(bag)
    subject.debug("debug:\(#line)").observeNext { _ in }.dispose()
  }

  /// The call in this function is the place of the observation.
  private static func observe(_ signal: Signal<Int, Never>, _ bag: DisposeBag) {
    signal.lane("function:\(#line)").observeNext { _ in }.dispose(in: bag)
  }

  private static func bound(_ subject: PassthroughSubject<Int, Never>, _ bag: DisposeBag) {
    let (property, screen) = (Property(0), Screen())
    subject.lane("bind:\(#line)").bind(to: property).dispose(in: bag)
    subject.lane("bind-optional:\(#line)").bind(to: Property<Int?>(0)).dispose(in: bag)
    subject.lane("bind-setter:\(#line)").bind(to: screen, context: .immediate) { $0.value = $1 }
      .dispose(in: bag)
    subject.lane("assign:\(#line)").assign(to: \.value, on: screen).dispose(in: bag)
    subject.lane("bind-subject:\(#line)").bind(to: PassthroughSubject<Int, Never>())
      .dispose(in: bag)
    withExtendedLifetime(screen) { send(subject) }
  }

  private static func joined(_ subject: PassthroughSubject<Int, Never>, _ bag: DisposeBag) {
    let line = #line + 2
    subject.lane("left:\(line)").combineLatest(with: subject.lane("right:\(line)"))
      .map { $0 + $1 }.lane("sum:\(line)").observeNext { _ in }.dispose(in: bag)
    let twice = subject.lane("twice:\(#line + 1)").lane("twice:\(#line + 1)")
    twice.observeNext { _ in }.dispose(in: bag)
  }

  /// An observation that an operator makes for an event belongs to the call that began the outer
  /// observation.
  private static func later(_ subject: PassthroughSubject<Int, Never>, _ bag: DisposeBag) {
    let inner = PassthroughSubject<Int, Never>()
    let latest = subject.flatMapLatest { _ in inner.lane("latest:\(#line + 1)") }
    latest.observeNext { _ in }.dispose(in: bag)
    let merged = subject.flatMapMerge { _ in inner.lane("merged:\(#line + 1)") }
    merged.lane("outer:\(#line)").observeNext { _ in }.dispose(in: bag)
    let concatenated = subject.flatMapConcat { _ in inner.lane("concatenated:\(#line + 1)") }
    concatenated.observeNext { _ in }.dispose(in: bag)
    let deep = subject.flatMapLatest { _ in
      inner.flatMapLatest { _ in inner.lane("inmost:\(#line + 2)") }
    }
    deep.observeNext { _ in }.dispose(in: bag)
    send(subject)
    inner.send(1)
    let failing = PassthroughSubject<Int, Failure>()
    failing.lane("retried:\(#line)").retry(2).observe { _ in }.dispose(in: bag)
    failing.send(completion: .failure(Failure()))
    // A call in a user closure is a separate place.
    subject.lane("around:\(#line)").observeNext { _ in
      inner.lane("nested:\(#line)").observeNext { _ in }.dispose(in: bag)
    }.dispose(in: bag)
    let own = Signal<Int, Never> { observer in
      inner.lane("producer:\(#line)").observe(with: observer.on)
    }
    own.lane("produced:\(#line)").observeNext { _ in }.dispose(in: bag)
    let queue = DispatchQueue(label: "observed")
    let done = DispatchSemaphore(value: 0)
    Signal<Int, Never>(just: 1).lane("moved:\(#line + 1)").subscribe(on: queue)
      .observeCompleted { done.signal() }.dispose(in: bag)
    done.wait()
  }

  private static func iterated() {
    let done = DispatchSemaphore(value: 0)
    Task {
      await iterate()
      done.signal()
    }
    done.wait()
  }

  private static func iterate() async {
    let signal = Signal<Int, Never>(sequence: [1, 2])
    for await _ in signal.lane("values:\(#line)").values {}
    for await _ in signal.lane("iterated-signal:\(#line)").values.lane("iterated:\(#line)") {}
    let stream = signal.lane("stream:\(#line)").toAsyncStream()
    for await _ in stream {}
  }

  private static func shared(_ subject: PassthroughSubject<Int, Never>, _ bag: DisposeBag) {
    let shared = subject.lane("shared:\(#line + 1)").share(limit: 1)
    let first = shared.lane("first:\(#line)").observeNext { _ in }
    shared.lane("second:\(#line)").observeNext { _ in }.dispose(in: bag)
    first.dispose()
    let connectable = subject.lane("connected:\(#line + 1)").publish()
    connectable.connect().dispose(in: bag)
  }

  /// Observes on several threads, at shared places and at places of each kind of thread.
  static func concurrently(_ count: Int) {
    runOnThreads(4) { thread in
      let subject = PassthroughSubject<Int, Never>()
      for number in 0..<count {
        descend(number % 8, subject)
        if thread % 2 == 0 {
          subject.lane("even:\(#line)").observeNext { _ in }.dispose()
        } else {
          subject.lane("odd:\(#line)").sink { _ in }.dispose()
        }
      }
    }
  }

  private static func descend(_ levels: Int, _ subject: PassthroughSubject<Int, Never>) {
    if levels > 0 { return descend(levels - 1, subject) }
    subject.lane("descended:\(#line)").observeNext { _ in }.dispose()
  }

  /// Observes under `levels` nested calls.
  static func deeply(_ levels: Int) {
    runOnThreads(1) { _ in
      let subject = PassthroughSubject<Int, Never>()
      _ = recurse(levels, subject)
      subject.lane("shallow:\(#line)").observeNext { _ in }.dispose()
    }
  }

  private static func recurse(_ levels: Int, _ subject: PassthroughSubject<Int, Never>) -> Int {
    if levels > 0 { return recurse(levels - 1, subject) &+ 1 }
    subject.lane("deep:\(#line)").observeNext { _ in }.dispose()
    return 0
  }

  /// Leaves an observation active and runs until the process is killed.
  static func waitForEnd() {
    let (subject, bag) = kept.withLock { $0 }
    subject.lane("killed:\(#line)").observeNext { _ in }.dispose(in: bag)
    var number = 0
    while true {
      subject.send(number)
      number &+= 1
      if number % 256 == 0 { Modes.report(".") }
    }
  }

  /// Leaves observations active while the log grows by `count` events.
  static func rotate(_ count: Int) {
    let (subject, bag) = kept.withLock { $0 }
    subject.lane("alive:\(#line)").observeNext { _ in }.dispose(in: bag)
    subject.lane("alive-too:\(#line)").sink { _ in }.dispose(in: bag)
    for number in 0..<count { subject.send(number) }
  }

  /// Ends the process in a signal handler that interrupts the allocator.
  static func exitFromHandler() {
    let (subject, bag) = kept.withLock { $0 }
    subject.lane("handled:\(#line)").observeNext { _ in }.dispose(in: bag)
    LimitSituations.exitFromAllocator(signalStack: nil)
  }
}

extension SignalProtocol where Element == Int, Error == Never {
  fileprivate func observeHere(_ bag: DisposeBag) {
    lane("extension:\(#line)").observeNext { _ in }.dispose(in: bag)
  }
}
