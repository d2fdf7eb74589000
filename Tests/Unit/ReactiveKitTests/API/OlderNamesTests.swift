import Dispatch
import ReactiveKit
import TestSupport
import Testing

@Suite("Names of ReactiveKit 3.0 and 3.7", .ownThread)
struct OlderNamesTests {
  // Called through a protocol, because calling a deprecated function directly is a warning.
  @Test("Names from ReactiveKit 3.0 and 3.7 keep their meaning")
  func names() {
    let calls: any OlderNames = Calls()
    for row in calls.rows {
      #expect(row.run() == row.expected, "\(row.name)")
    }
    calls.check()
  }
}

private protocol OlderNames {
  var rows: [APIRow] { get }
  func check()
}

private struct Calls: OlderNames {
  @available(*, deprecated)
  var rows: [APIRow] {
    let queue = DispatchQueue(label: "names")
    return [
      APIRow("just", "1|", signal: { Numbers.just(1) }),
      APIRow("sequence", "12|", signal: { Numbers.sequence([1, 2]) }),
      APIRow("timer", "1|") { Numbers.timer(element: 1, time: 0.001, queue: queue).waitDrawn() },
      APIRow("timer, default queue", "1|") { Numbers.timer(element: 1, time: 0.001).waitDrawn() },
      APIRow("interval", "0|") {
        Signal<Int, Never>.interval(0.001, queue: queue).first().waitDrawn()
      },
      APIRow("interval of any type", "0|") {
        Signal<String, Never>.interval(0.001, queue: queue).first().waitDrawn()
      },
      APIRow("unwrap of sequences", "12|", signal: { Numbers(just: 1).map { [$0, 2] }.unwrap() }),
      APIRow("disposable of an observer", "1|") {
        Numbers { observer in
          observer.receive(lastElement: 1)
          return observer.disposable
        }.drawn
      },
      APIRow("disposable of an observer, told of the end", "false true") {
        var asked: (any Disposable)?
        let disposable = Numbers { observer in
          asked = observer.disposable
          return observer.disposable
        }.observe { _ in }
        let before = asked?.isDisposed
        disposable.dispose()
        return "\(before ?? true) \(asked?.isDisposed ?? false)"
      },
      APIRow("disposable of an observer, kept by nothing", "freed") {
        let isFreed = isFreed { canary in
          _ = Numbers { observer in observer.disposable }.observe { _ in canary.sing() }
        }
        return isFreed ? "freed" : "kept"
      },
      APIRow("disposable of an observer, disposed", "1") {
        Numbers { observer in
          observer.receive(1)
          observer.disposable.dispose()
          observer.receive(2)
          return NonDisposable.instance
        }.drawn
      },
      APIRow("executeOn", "123|") { numbers.executeOn(queue).waitDrawn() },
      APIRow("executeIn", "123|", signal: { numbers.executeIn(.immediate) }),
      APIRow("observeOn", "123|") { numbers.observeOn(queue).waitDrawn() },
      APIRow("observeIn", "123|", signal: { numbers.observeIn(.immediate) }),
      APIRow("shareReplay", "123|", signal: { numbers.shareReplay(limit: 2) }),
      APIRow("shareReplay()", "123|", signal: { numbers.shareReplay() }),
      APIRow("recover(with:)", "17|", signal: { oneAndFailure.recover(with: 7) }),
      APIRow("concat(with:)", "123123|", signal: { numbers.concat(with: numbers) }),
      APIRow("concat(with:) safe", "1231|", signal: { numbers.concat(with: SafeNumbers(just: 1)) }),
      APIRow("start(with:)", "0123|", signal: { numbers.start(with: 0) }),
      APIRow("take(first:)", "1|", signal: { numbers.take(first: 1) }),
      APIRow("take(last:)", "3|", signal: { numbers.take(last: 1) }),
      APIRow("take(while:)", "1|", signal: { numbers.take(while: { $0 < 2 }) }),
      APIRow("take(until:)", "|", signal: { numbers.take(until: SafeNumbers(just: 1)) }),
      APIRow("skip(first:)", "23|", signal: { numbers.skip(first: 1) }),
      APIRow("skip(last:)", "12|", signal: { numbers.skip(last: 1) }),
      APIRow("skip(interval:)", "|", signal: { numbers.skip(interval: 100) }),
      APIRow("distinct()", "12|", signal: { Numbers(sequence: [1, 1, 2]).distinct() }),
      APIRow(
        "distinct(areDistinct:)", "12|",
        signal: { Numbers(sequence: [1, 1, 2]).distinct(areDistinct: !=) }),
      APIRow(
        "distinctUntilChanged()", "12|",
        signal: { Numbers(sequence: [1, 1, 2]).distinctUntilChanged() }),
      APIRow(
        "distinctUntilChanged(_:)", "12|",
        signal: { Numbers(sequence: [1, 1, 2]).distinctUntilChanged(!=) }),
      APIRow("element(at:)", "2|", signal: { numbers.element(at: 1) }),
      APIRow("buffer(ofSize:)", "[[1, 2]]|", signal: { numbers.buffer(ofSize: 2) }),
      APIRow("debounce(interval:on:)", "3|") {
        numbers.debounce(interval: 1, on: queue).waitDrawn()
      },
      APIRow("debounce(interval:)", "3|") { numbers.debounce(interval: 1).waitDrawn() },
      APIRow("debounce(interval:queue:)", "3|") {
        numbers.debounce(interval: 1, queue: queue).waitDrawn()
      },
      APIRow("throttle(seconds:)", "1|") { numbers.throttle(seconds: 1).waitDrawn() },
      APIRow("defaultIfEmpty(_:)", "7|", signal: { Numbers.completed().defaultIfEmpty(7) }),
      APIRow("ignoreElements()", "|", signal: { numbers.ignoreElements() }),
      APIRow("ignoreNil()", "1|", signal: { Signal<Int?, Never>(sequence: [1, nil]).ignoreNil() }),
      APIRow("unwrap()", "1|", signal: { Signal<Int?, Never>(sequence: [1, nil]).unwrap() }),
      APIRow(
        "replaceNil(with:)", "10|",
        signal: { Signal<Int?, Never>(sequence: [1, nil]).replaceNil(with: 0) }),
      APIRow("replace(with:)", "xxx|", signal: { numbers.replace(with: "x") }),
      APIRow("retry(times:)", "11!", signal: { oneAndFailure.retry(times: 1) }),
      APIRow("doOn", "1!s1fd") {
        var log = ""
        let drawn = oneAndFailure.doOn(
          next: { log += "\($0)" }, start: { log += "s" }, failed: { _ in log += "f" },
          completed: { log += "c" }, disposed: { log += "d" }
        ).drawn
        return drawn + log
      },
      APIRow("elements()", "1|", signal: { oneAndFailure.materialize().elements() }),
      APIRow("errors()", "e|", signal: { oneAndFailure.materialize().errors().map { _ in "e" } }),
      APIRow(
        "combineLatest(_:combine:)", "456|",
        signal: { combineLatest([numbers, numbers]) { $0.reduce(0, +) } }),
      APIRow("merge(_:)", "123123|", signal: { merge([numbers, numbers]) }),
    ]
  }

  @available(*, deprecated)
  func check() {
    let subject = PublishSubject<Int, NoError>()
    let other: PublishSubject1<Int> = SafePublishSubject<Int>()
    let replay: ReplaySubject1<Int> = ReplaySubject1()
    let one = ReplayOneSubject1<Int>()
    let signal: Signal1<Int> = subject.toSignal()
    var log = ""
    let observer: Observer1<Int> = { (event: Event<Int, NoError>) in log += "\(event.element ?? 0)"
    }
    let disposable = signal.observe(with: observer)
    subject.next(1)
    subject.completed(with: 2)
    other.completed()
    replay.next(1)
    one.next(1)
    let failing = PublishSubject<Void, TestError>()
    failing.next()
    failing.failed(TestError())
    let events = PassthroughSubject<Int, TestError>()
    let (recorder, recording) = events.record()
    events.send(.next(1))
    events.send(.completed)
    #expect(recorder.drawn == "1|")
    recording.dispose()
    disposable.dispose()
    #expect(log == "120")
    #expect(failing.isTerminated)
    #expect(replay.drawn + one.drawn == "11")
    let done = Flag()
    DispatchQueue(label: "names").after(when: 0.001) { done.raise() }
    #expect(done.wait())
  }
}
