import Dispatch
import ReactiveKit
import TestSupport
import Testing

@Suite("An observation on the main actor")
@MainActor
struct MainActorTests {
  private let subject = PassthroughSubject<Int, TestError>()
  private let numbers = PassthroughSubject<Int, Never>()
  private let log = MainActorLog()

  @Test(
    "An observation on the main actor gets an event before the sending call there returns")
  func immediate() {
    let observation = subject.observeOnMainActor { [log] in log.lines.append("\($0)") }
    subject.send(1)
    #expect(log.lines == ["next(1)"])
    subject.send(completion: .finished)
    #expect(log.lines == ["next(1)", "completed"])
    #expect(observation.isDisposed)
  }

  @Test("An observation on the main actor gets another thread's events in a later turn, in order")
  func later() async {
    _ = subject.observeOnMainActor { [log] in
      log.lines.append($0.element.map { "\($0)" } ?? "failed \($0.isFailed)")
    }
    onThreads(1) { [subject] _ in
      for number in 1...1_000 { subject.send(number) }
      subject.send(completion: .failure(TestError()))
    }
    #expect(log.lines == [])
    await mainQueueTurn()
    #expect(log.lines == (1...1_000).map { "\($0)" } + ["failed true"])
  }

  @Test("An observation on the main actor gets waiting events before an event sent there")
  func order() async {
    _ = subject.observeNextOnMainActor { [log] in log.lines.append("\($0)") }
    onThreads(1) { [subject] _ in
      subject.send(1)
      subject.send(2)
    }
    subject.send(3)
    #expect(log.lines == ["1", "2", "3"])
    await mainQueueTurn()
    #expect(log.lines == ["1", "2", "3"])
  }

  @Test("An observation on the main actor gets its closure's events after the closure returns")
  func nested() {
    let observation = subject.observeNextOnMainActor { [log, subject] number in
      log.lines.append("begin \(number)")
      if number == 1 { subject.send(2) }
      log.lines.append("end \(number)")
    }
    subject.send(1)
    #expect(log.lines == ["begin 1", "end 1", "begin 2", "end 2"])
    observation.dispose()
  }

  @Test("An observation on the main actor gets nothing after it was disposed there")
  func disposal() async {
    let observation = subject.observeOnMainActor { [log] in log.lines.append("\($0)") }
    onThreads(1) { [subject] _ in subject.send(1) }
    observation.dispose()
    await mainQueueTurn()
    #expect(log.lines == [])
  }

  @Test("An observation on the main actor gets no waiting events after its closure disposed it")
  func disposalInside() async {
    let bag = DisposeBag()
    subject.observeNextOnMainActor { [log] in
      log.lines.append("\($0)")
      bag.dispose()
    }.dispose(in: bag)
    onThreads(1) { [subject] _ in for number in 1...3 { subject.send(number) } }
    await mainQueueTurn()
    #expect(log.lines == ["1"])
  }

  @Test("An observation on the main actor gets each end after all elements")
  func ends() async {
    _ = subject.observeNextOnMainActor { [log] in log.lines.append("\($0)") }
    _ = subject.observeFailedOnMainActor { [log] in log.lines.append("\($0)") }
    _ = subject.observeCompletedOnMainActor { [log] in log.lines.append("never") }
    _ = numbers.observeCompletedOnMainActor { [log] in log.lines.append("completed") }
    onThreads(1) { [subject, numbers] _ in
      subject.send(1)
      subject.send(completion: .failure(TestError()))
      numbers.send(completion: .finished)
    }
    await mainQueueTurn()
    #expect(log.lines == ["1", "\(TestError())", "completed"])
  }

  @Test("An observation on the main actor gets each thread's events once, in order")
  func threads() async {
    let events = PassthroughSubject<(thread: Int, number: Int), Never>()
    var arrived = [[Int]](repeating: [], count: 4)
    let observation = events.observeNextOnMainActor { arrived[$0.thread].append($0.number) }
    onThreads(4) { thread in
      for number in 0..<500 { events.send((thread, number)) }
    }
    await mainQueueTurn()
    #expect(arrived == Array(repeating: Array(0..<500), count: 4))
    observation.dispose()
  }

  @Test("An observation made by another thread gets events sent on the main actor immediately")
  func madeElsewhere() async {
    onThreads(1) { [subject, log] _ in
      _ = subject.prepend(0).observeNextOnMainActor { log.lines.append("\($0)") }
    }
    #expect(log.lines == [])
    subject.send(1)
    #expect(log.lines == ["0", "1"])
  }

  @Test("observeNextOnMainActor moves events from the queue of receive(on:) to the main actor")
  func receive() async {
    let queue = DispatchQueue(label: "test.main")
    _ = subject.receive(on: queue).observeNextOnMainActor { [log] in log.lines.append("\($0)") }
    subject.send(1)
    queue.sync {}
    #expect(log.lines == [])
    await mainQueueTurn()
    #expect(log.lines == ["1"])
  }

  @Test("sinkOnMainActor delivers elements and the completion until it is canceled")
  func sink() async {
    let events = subject.sinkOnMainActor { [log] in
      log.lines.append("\($0)")
    } receiveValue: { [log] in
      log.lines.append("\($0)")
    }
    let values = numbers.sinkOnMainActor { [log] in log.lines.append("value \($0)") }
    onThreads(1) { [subject, numbers] _ in
      subject.send(1)
      numbers.send(2)
      subject.send(completion: .finished)
    }
    await mainQueueTurn()
    #expect(log.lines == ["1", "finished", "value 2"])
    onThreads(1) { [numbers] _ in numbers.send(3) }
    values.cancel()
    withExtendedLifetime(events) {}
    await mainQueueTurn()
    #expect(log.lines == ["1", "finished", "value 2"])
  }

  @Test("assignOnMainActor writes to a property on the main actor until it is canceled")
  func assign() async {
    let label = MainActorLabel()
    let texts = PassthroughSubject<String, Never>()
    let assigned = texts.assignOnMainActor(to: \.text, on: label)
    onThreads(1) { _ in texts.send("one") }
    await mainQueueTurn()
    #expect(label.text == "one")
    assigned.cancel()
    texts.send("two")
    #expect(label.text == "one")
  }
}

@Suite("A binding on the main actor")
@MainActor
struct MainActorBindingTests {
  private let texts = PassthroughSubject<String, Never>()

  @Test("A binding on the main actor calls its setter or sets its property on the main actor")
  func binds() async {
    let (first, second) = (MainActorLabel(), MainActorLabel())
    texts.bindOnMainActor(to: first) { label, text in label.text = text }
    texts.bindOnMainActor(to: second, keyPath: \.text)
    onThreads(1) { [texts] _ in texts.send("one") }
    #expect(first.text == "")
    await mainQueueTurn()
    #expect([first.text, second.text] == ["one", "one"])
    texts.send("two")
    #expect([first.text, second.text] == ["two", "two"])
  }

  @Test("A binding on the main actor ends with its target, and doesn't keep it alive")
  func deallocation() async {
    var label: MainActorLabel? = MainActorLabel()
    weak let weakly = label
    var calls = 0
    let binding = texts.bindOnMainActor(to: label!) { _, _ in calls += 1 }
    onThreads(1) { [texts] _ in texts.send("one") }
    label = nil
    #expect(weakly == nil)
    #expect(binding.isDisposed)
    await mainQueueTurn()
    #expect(calls == 0)
  }

  @Test("A disposed binding on the main actor doesn't write to its target")
  func disposal() async {
    let label = MainActorLabel()
    let binding = texts.bindOnMainActor(to: label, keyPath: \.text)
    onThreads(1) { [texts] _ in texts.send("one") }
    binding.dispose()
    await mainQueueTurn()
    #expect(label.text == "")
  }
}

@MainActor private final class MainActorLog {
  var lines: [String] = []
}

@MainActor private final class MainActorLabel: DisposeBagProvider {
  nonisolated let bag = DisposeBag()
  var text = ""
}

/// Waits until the main queue has run its pending work.
private func mainQueueTurn() async {
  await withCheckedContinuation { end in DispatchQueue.main.async { end.resume() } }
}
