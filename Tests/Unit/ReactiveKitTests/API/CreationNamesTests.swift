import Dispatch
import ReactiveKit
import TestSupport
import Testing

@Suite("Names of operators that create and observe signals", .ownThread)
struct CreationNamesTests {
  @Test("Each way to create a signal sends the expected events", arguments: Self.rows)
  func making(row: APIRow) { #expect(row.run() == row.expected) }

  static var rows: [APIRow] {
    [
      APIRow(
        "Signal(_ producer)", "12|",
        signal: {
          Numbers { observer in
            observer.receive(1)
            observer.receive(lastElement: 2)
            return NonDisposable.instance
          }
        }),
      APIRow("Signal.Producer", "1!") {
        let producer: Numbers.Producer = { observer in
          observer.on(.next(1))
          observer.receive(completion: .failure(TestError()))
          return SimpleDisposable()
        }
        return Numbers(producer).drawn
      },
      APIRow(".completed()", "|", signal: { Numbers.completed() }),
      APIRow(".failed(_:)", "!", signal: { Numbers.failed(TestError()) }),
      APIRow(".never()", "", signal: { Numbers.never() }),
      APIRow(".withObserver()", "12|") {
        let (signal, observer) = Numbers.withObserver()
        let (recorder, disposable) = signal.record()
        observer.receive(1)
        observer.receive(lastElement: 2)
        disposable.dispose()
        return recorder.drawn
      },
      APIRow("init(just:)", "1|", signal: { Numbers(just: 1) }),
      APIRow("init(just:after:queue:)", "1|") {
        Numbers(just: 1, after: 0.001, queue: DispatchQueue(label: "names")).waitDrawn()
      },
      APIRow("init(just:after:)", "1|") { Numbers(just: 1, after: 0.001).waitDrawn() },
      APIRow("init(performing:)", "1|", signal: { Numbers(performing: { 1 }) }),
      APIRow("init(result:)", "!", signal: { Numbers(result: .failure(TestError())) }),
      APIRow("init(evaluating:)", "1|", signal: { Numbers(evaluating: { .success(1) }) }),
      APIRow(
        "init(catching:)", "!",
        signal: { Signal<Int, any Error>(catching: { throw TestError() }) }),
      APIRow("init(deferring:)", "123|", signal: { Numbers(deferring: { numbers }) }),
      APIRow("init(sequence:)", "12|", signal: { Numbers(sequence: [1, 2]) }),
      APIRow("init(sequence:interval:queue:)", "12|") {
        Numbers(sequence: [1, 2], interval: 0.001, queue: DispatchQueue(label: "names"))
          .waitDrawn()
      },
      APIRow("init(sequence:interval:)", "1|") {
        SafeNumbers(sequence: 1..., interval: 0.001).first().waitDrawn()
      },
      APIRow("init(takingOver:)", "12 ") {
        var log = ""
        var closure: (Int) -> Void = { log += "\($0)" }
        let signal = SafeNumbers(takingOver: &closure)
        let (recorder, disposable) = signal.record()
        closure(1)
        closure(2)
        disposable.dispose()
        return recorder.drawn + " " + log
      },
      APIRow("init(takingOver:) optional", "1") {
        var closure: ((Int) -> Void)?
        let (recorder, disposable) = SafeNumbers(takingOver: &closure).record()
        closure?(1)
        disposable.dispose()
        return recorder.drawn
      },
      APIRow("LoadingSignal statics", "[loading]|[loaded(1)]|[failed(E)]|") {
        LoadingSignal<Int, TestError>.loading().drawn
          + LoadingSignal<Int, TestError>.loaded(1).drawn
          + LoadingSignal<Int, TestError>.failed(TestError()).map {
            $0.error == nil ? "" : "failed(E)"
          }.drawn
      },
      APIRow("Deferred(signalFactory:)", "123|", signal: { Deferred { numbers } }),
      APIRow(
        "Empty(completeImmediately:)", "", signal: { Empty<Int, Never>(completeImmediately: false) }
      ),
      APIRow("Empty()", "|", signal: { Empty<Int, Never>() }),
      APIRow(
        "Empty(completeImmediately:outputType:failureType:)", "|",
        signal: {
          Empty(completeImmediately: true, outputType: Int.self, failureType: TestError.self)
        }),
      APIRow("toSignal()", "123|", signal: { Deferred { numbers }.toSignal() }),
    ]
  }

  @Test("Each way to observe a signal delivers its events")
  func observing() {
    var log = ""
    let bag = DisposeBag()
    numbers.observe { event in log += event.isNext ? "n" : "e" }.dispose(in: bag)
    let subject = PassthroughSubject<Int, TestError>()
    let (recorder, recording) = subject.record()
    numbers.observe(with: subject).dispose(in: bag)
    bag += numbers.observeNext { log += "\($0)" }
    bag += [
      oneAndFailure.observeFailed { _ in log += "f" }, numbers.observeCompleted { log += "c" },
    ]
    numbers.sink(
      receiveCompletion: { if case .finished = $0 { log += "F" } }, receiveValue: { log += "\($0)" }
    ).store(in: bag)
    var set: Set<AnyCancellable> = []
    safeNumbers.sink { log += "\($0)" }.store(in: &set)
    var array: [AnyCancellable] = []
    safeNumbers.sink { log += "\($0)" }.store(in: &array)
    safeNumbers.observeNext { log += "\($0)" }.store(in: &set)
    #expect(log == "nnne123fc123F123123123")
    #expect(recorder.drawn == "123|")
    #expect(numbers.waitAndCollectElements() == [1, 2, 3])
    #expect(numbers.waitAndCollectEvents() == [.next(1), .next(2), .next(3), .completed])
    recording.dispose()
  }

  @Test("Subscribers receive elements, and assign sets a property")
  func subscribing() {
    let accumulator = Subscribers.Accumulator<Int, TestError>()
    numbers.subscribe(accumulator)
    #expect(accumulator.values == [1, 2, 3])
    #expect(accumulator.isFinished)
    #expect(!accumulator.isFailure)
    let failed = Subscribers.Accumulator<Int, TestError>()
    oneAndFailure.subscribe(failed)
    #expect(failed.error == TestError())
    #expect(failed.isFailure)

    var sum = 0
    let subject = PassthroughSubject<Int, Never>()
    let sink = Subscribers.Sink<Int, Never>(
      receiveCompletion: { _ in }, receiveValue: { sum += $0 })
    subject.subscribe(sink)
    subject.send(2)
    sink.cancel()
    subject.send(3)
    #expect(sum == 2)
    #expect(Subscribers.Demand.unlimited.value == .max)

    final class Target {
      var number = 0
    }
    let target = Target()
    let cancellable = safeNumbers.assign(to: \.number, on: target)
    #expect(target.number == 3)
    cancellable.cancel()
  }
}
