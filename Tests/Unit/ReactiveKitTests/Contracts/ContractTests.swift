import ReactiveKit
import TestSupport
import Testing

/// The contracts in Contracts.md, by their numbers, for every operator.
@Suite("Contracts", .ownThread)
struct ContractTests {
  /// Observes the operator with its own source, lets `drive` send, and then advances the time.
  private func run(
    _ operation: OperatorCase, observer: EventRecorder<Int, TestError> = EventRecorder(),
    _ drive: (PassthroughSubject<Int, TestError>) -> Void
  ) -> EventRecorder<Int, TestError> {
    let time = VirtualScheduler()
    let source = CountingSource()
    let disposable = operation.apply(source.signal, time).observe { observer.on($0) }
    drive(source.subject)
    time.advance(by: 10)
    disposable.dispose()
    return observer
  }

  @Test(
    "Contract 1: No event follows the end, regardless of what the producer sends",
    arguments: OperatorCase.all)
  func grammar(_ operation: OperatorCase) {
    let ends: [Signal<Int, TestError>.Event] = [.completed, .failed(TestError())]
    for (first, second) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
      let time = VirtualScheduler()
      let recorder = EventRecorder<Int, TestError>()
      let rude = Signal<Int, TestError> { observer in
        for event in [.next(1), .next(2), ends[first], .next(3), ends[second], .next(4)] {
          observer.on(event)
        }
        return NonDisposable.instance
      }
      let disposable = operation.apply(rude, time).observe { recorder.on($0) }
      time.advance(by: 10)
      disposable.dispose()
      #expect(recorder.isGrammatical)
    }
    // A sequence keeps sending until it notices that its observer has enough.
    let recorder = EventRecorder<Int, TestError>()
    let time = VirtualScheduler()
    let disposable = operation.apply(Signal(sequence: 0..<100), time).observe { recorder.on($0) }
    time.advance(by: 10)
    disposable.dispose()
    #expect(recorder.isGrammatical)
  }

  @Test(
    "Contract 2: Events from several threads are delivered one at a time",
    arguments: OperatorCase.all)
  func serial(_ operation: OperatorCase) {
    let recorder = run(operation) { subject in
      onThreads(4) { thread in
        for number in 0..<50 { subject.send(thread * 50 + number) }
        if thread == 0 { subject.send(completion: .finished) }
      }
    }
    #expect(recorder.overlapCount == 0)
    #expect(recorder.isGrammatical)
  }

  @Test(
    "Contract 3: No event is delivered after dispose() has returned", arguments: OperatorCase.all)
  func disposal(_ operation: OperatorCase) {
    for limit in 0..<3 {
      let time = VirtualScheduler()
      let source = CountingSource()
      let disposable = SerialDisposable(otherDisposable: nil)
      var count = 0
      var countAtDisposal: Int?
      disposable.otherDisposable = operation.apply(source.signal, time).observe { _ in
        count += 1
        // Disposes from inside the observer.
        if count == limit {
          disposable.dispose()
          countAtDisposal = count
        }
      }
      for number in 0..<4 { source.subject.send(number) }
      time.advance(by: 2)
      if countAtDisposal == nil {
        disposable.dispose()
        countAtDisposal = count
      }
      for number in 4..<8 { source.subject.send(number) }
      source.subject.send(completion: .finished)
      time.advance(by: 10)
      #expect(count == countAtDisposal)
    }
  }

  @Test(
    "Contract 4: A source is disposed exactly once, by its end or explicitly",
    arguments: OperatorCase.all)
  func disposedOnce(_ operation: OperatorCase) {
    let ways: [(any Disposable, PassthroughSubject<Int, TestError>) -> Void] = [
      {
        $1.send(completion: .finished); $0.dispose()
      },
      {
        $1.send(completion: .failure(TestError())); $0.dispose()
      },
      { disposable, _ in
        disposable.dispose(); disposable.dispose()
      },
      { disposable, _ in
        let disposable = Unchecked(disposable)
        onThreads(2) { _ in disposable.value.dispose() }
      },
    ]
    for way in ways {
      let time = VirtualScheduler()
      let source = CountingSource()
      let disposable = operation.apply(source.signal, time).observe { _ in }
      source.subject.send(1)
      way(disposable, source.subject)
      time.advance(by: 10)
      disposable.dispose()
      #expect(source.disposedCount == source.observedCount)
      #expect(disposable.isDisposed)
    }
  }

  @Test("Contract 4: Sources are released before the end is delivered", arguments: OperatorCase.all)
  func releasedBeforeTheEnd(_ operation: OperatorCase) {
    for end: Signal<Int, TestError>.Event in [.completed, .failed(TestError())] {
      let time = VirtualScheduler()
      let source = CountingSource()
      var unreleased: [Int] = []
      let disposable = operation.apply(source.signal, time).observe { event in
        if event.isTerminal { unreleased.append(source.observedCount - source.disposedCount) }
      }
      for number in 1...3 { source.subject.send(number) }
      source.subject.on(end)
      time.advance(by: 10)
      // An attempt after the end uses a source that ends while it is being observed.
      let isRepeated = source.observedCount > 1
      #expect(unreleased.allSatisfy { $0 == 0 || isRepeated })
      disposable.dispose()
    }
  }

  @Test(
    "Contract 5: Events sent from inside an observer are delivered later, and none is lost",
    arguments: OperatorCase.all)
  func reentrancy(_ operation: OperatorCase) {
    let plain = run(operation) { subject in
      for number in 1...4 { subject.send(number) }
      subject.send(completion: .finished)
    }
    let time = VirtualScheduler()
    let source = CountingSource()
    let nested = EventRecorder<Int, TestError>()
    // Sends each next number from inside the delivery of the one before it.
    let trigger = source.subject.observeNext { number in
      if number < 4 {
        source.subject.send(number + 1)
      } else {
        source.subject.send(completion: .finished)
      }
    }
    let disposable = operation.apply(source.signal, time).observe { nested.on($0) }
    source.subject.send(1)
    time.advance(by: 10)
    #expect(nested.events == plain.events)
    trigger.dispose()
    disposable.dispose()
  }

  @Test(
    "Contract 5: Observing from inside an observer doesn't deadlock", arguments: OperatorCase.all)
  func observingInside(_ operation: OperatorCase) {
    let time = VirtualScheduler()
    let source = CountingSource()
    let signal = operation.apply(source.signal, time)
    let inner = EventRecorder<Int, TestError>()
    let bag = DisposeBag()
    signal.observe { _ in
      if bag.isDisposed { signal.observe { inner.on($0) }.dispose(in: bag) }
    }.dispose()
    let disposable = signal.observe { event in
      if bag.isDisposed { signal.observe { inner.on($0) }.dispose(in: bag) }
    }
    for number in 1...3 { source.subject.send(number) }
    source.subject.send(completion: .finished)
    time.advance(by: 10)
    disposable.dispose()
    bag.dispose()
    #expect(inner.isGrammatical)
    #expect(source.disposedCount == source.observedCount)
  }

  @Test("Contract 6: All captured objects are freed at the end", arguments: OperatorCase.all)
  func freed(_ operation: OperatorCase) {
    let ways: [(any Disposable, PassthroughSubject<Int, TestError>) -> Void] = [
      { disposable, _ in disposable.dispose() },
      { $1.send(completion: .finished) },
      { $1.send(completion: .failure(TestError())) },
    ]
    for (index, way) in ways.enumerated() {
      let time = VirtualScheduler()
      let subject = PassthroughSubject<Int, TestError>()
      let isFreed = isFreed { canary -> any Disposable in
        let source = subject.toSignal().handleEvents(receiveOutput: { _ in canary.sing() })
        let disposable = operation.apply(source, time).observe { _ in canary.sing() }
        subject.send(1)
        way(disposable, subject)
        time.advance(by: 10)
        // Some signals outlive their source, so the observer has to end them.
        if !disposable.isDisposed { disposable.dispose() }
        time.advance(by: 10)
        return disposable
      }
      #expect(isFreed, "way \(index)")
    }
  }
}
