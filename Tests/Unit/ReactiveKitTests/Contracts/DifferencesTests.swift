import ReactiveKit
import TestSupport
import Testing

/// Differences from ReactiveKit 3 that the migration guide lists and that no other suite covers.
@Suite("Differences from ReactiveKit 3")
struct DifferencesTests {
  private typealias Source = Signal<Int, TestError>
  private typealias State = LoadingState<Int, TestError>

  private final class Log {
    var lines: [String] = []

    func source<Element, Error>(_ name: String, _ signal: Signal<Element, Error>)
      -> Signal<Element, Error>
    {
      Signal { [self] observer in
        lines.append("start \(name)")
        let disposable = signal.observe(with: observer.on)
        return BlockDisposable { [self] in
          disposable.dispose()
          lines.append("dispose \(name)")
        }
      }
    }
  }

  @Test("flatMapLatest completes if its source completes without elements")
  func emptyLatest() {
    let signal = Source.completed().flatMapLatest { Source(just: $0) }
    let (recorder, _) = signal.record()
    #expect(recorder.events.map { "\($0)" } == ["completed"])
  }

  @Test(
    "The second source isn't started if the first one already ends the signal",
    arguments: 0..<5)
  func undecided(index: Int) {
    let log = Log()
    let failed = log.source("a", Source.failed(TestError()))
    let second = log.source("b", Source.never())
    let ended = log.source("a", Source.completed())
    let never = Source.never()
    let signals: [Source] = [
      failed.zip(with: second) { $0 + $1 },
      ended.zip(with: second) { $0 + $1 },
      second.with(latestFrom: failed) { $0 + $1 },
      second.prefix(untilOutputFrom: log.source("a", never.prepend(1))),
      second.prefix(untilOutputFrom: ended),
    ]
    signals[index].observe { _ in }.dispose()
    #expect(log.lines == ["start a", "dispose a"])
  }

  @Test("A source that ends immediately is disposed before the next one starts", arguments: 0..<3)
  func sequence(index: Int) {
    let log = Log()
    let ended = log.source("a", Source(just: 1))
    let signals: [Source] = [
      ended.append(log.source("b", Source.completed())),
      Source(sequence: [1, 2]).flatMapConcat { log.source("\($0)", Source.completed()) },
      log.source("a", Source.failed(TestError())).retry(1),
    ]
    let expected = [
      ["start a", "dispose a", "start b", "dispose b"],
      ["start 1", "dispose 1", "start 2", "dispose 2"],
      ["start a", "dispose a", "start a", "dispose a"],
    ]
    signals[index].observe { _ in }.dispose()
    #expect(log.lines == expected[index])
  }

  @Test("append doesn't start the second source if the first one was enough")
  func satisfied() {
    let log = Log()
    let signal = Source(just: 1).append(log.source("b", Source.never())).first()
    #expect(signal.elements == [1])
    #expect(log.lines.isEmpty)
  }

  @Test(
    "An operator disposes its sources in the order in which it subscribed to them",
    arguments: 0..<4, [true, false])
  func order(index: Int, fails: Bool) {
    let log = Log()
    let subject = PassthroughSubject<Int, TestError>()
    let left = log.source("a", Source.never())
    let right = log.source("b", subject.toSignal())
    let signals: [Source] = [
      left.merge(with: right),
      left.combineLatest(with: right) { $0 + $1 },
      left.zip(with: right) { $0 + $1 },
      right.with(latestFrom: left) { $0 + $1 },
    ]
    if fails { subject.send(completion: .failure(TestError())) }
    signals[index].observe { _ in }.dispose()
    #expect(log.lines.suffix(2) == ["dispose a", "dispose b"])
  }

  @Test("flatMapError disposes the replacement of a source that fails immediately")
  func recovery() {
    let log = Log()
    let signal = Source.failed(TestError()).flatMapError { _ in log.source("b", Source.never()) }
    signal.observe { _ in }.dispose()
    #expect(log.lines == ["start b", "dispose b"])
  }

  @Test("share keeps one connection if an observer subscribes while it connects")
  func shareInside() {
    let log = Log()
    let shared = log.source("a", Source(sequence: [1, 2])).share(limit: 1)
    let inner = EventRecorder<Int, TestError>()
    let bag = DisposeBag()
    let recorder = EventRecorder<Int, TestError>()
    var isFirst = true
    shared.observe { event in
      recorder.on(event)
      guard isFirst else { return }
      isFirst = false
      shared.observe { inner.on($0) }.dispose(in: bag)
    }
    .dispose(in: bag)
    #expect(log.lines == ["start a", "dispose a"])
    #expect(recorder.elements == [1, 2])
    #expect(inner.elements == [1, 2])
  }

  @Test("flatMapLatest gets a replay subject's event before the signals that it returned do")
  func latestOfReplay() {
    let subject = ReplaySubject<Int, Never>()
    subject.send(1)
    subject.send(2)
    let (recorder, disposable) =
      subject.flatMapLatest { outer in subject.map { $0 * 10 + outer } }.record()
    subject.send(3)
    disposable.dispose()
    #expect(recorder.elements == [11, 21, 12, 22, 13, 23, 33])
  }

  @Test("share(limit:) replays as many elements as its limit", arguments: 1...3)
  func share(limit: Int) {
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.share(limit: limit)
    let first = shared.observe { _ in }
    for number in 1...5 { subject.send(number) }
    let (recorder, second) = shared.record()
    #expect(recorder.elements == Array((1...5).suffix(limit)))
    first.dispose()
    second.dispose()
  }

  @Test("Each observation of a reload disposes the load that it started")
  func reloadTwice() {
    let log = Log()
    var loads = 0
    let property = LoadingProperty<Int, TestError> {
      loads += 1
      return log.source("\(loads)", Signal<State, Never>.never())
    }
    let reload = property.reload()
    let first = reload.observe { _ in }
    let second = reload.observe { _ in }
    first.dispose()
    #expect(log.lines == ["start 1", "start 2", "dispose 1"])
    second.dispose()
    #expect(log.lines == ["start 1", "start 2", "dispose 1", "dispose 2"])
  }
}
