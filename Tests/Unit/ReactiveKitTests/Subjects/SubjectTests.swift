import ReactiveKit
import TestSupport
import Testing

@Suite("Subjects", .ownThread)
struct SubjectTests {
  /// A subclass as a user of the library would write it.
  private final class Doubling: Subject<Int, Never> {
    private(set) var count = 0

    override init() {
      super.init()
    }

    override func on(_ event: Signal<Int, Never>.Event) {
      count += 1
      super.on(event.element.map { .next($0 * 2) } ?? event)
    }
  }

  @Test("A subject can be subclassed, and operators call the overridden methods")
  func subclass() {
    let subject = Doubling()
    let (recorder, _) = subject.map { $0 + 1 }.record()
    subject.send(1)
    subject.send(completion: .finished)
    #expect(recorder.drawn == "3|")
    #expect(subject.count == 2)
  }

  /// A replaying subject, written like subclasses for ReactiveKit 3.
  private final class History: Subject<Int, Never> {
    private(set) var kept: [Signal<Int, Never>.Event] = []

    override func receive(event: Signal<Int, Never>.Event) {
      kept.append(event)
      super.receive(event: event)
    }

    override func willAdd(observer: @escaping Observer<Int, Never>) {
      kept.forEach(observer)
    }
  }

  @Test("A subclass of a subject can override how it receives events and adds observers")
  func hooks() {
    let subject = History()
    subject.send(1)
    let (recorder, disposable) = subject.map { $0 * 10 }.record()
    subject.on(.next(2))
    subject.send(completion: .finished)
    #expect(subject.isTerminated)
    subject.send(3)
    #expect(recorder.drawn == "[10][20]|")
    #expect(subject.kept.count == 3)
    #expect(subject.drawn == "12|")
    #expect(subject.prefix(maxLength: 1).drawn == "1|")
    disposable.dispose()
  }

  @Test("A subject ends when it receives completion, even if its subclass ignores the event")
  func hookOfEnd() {
    final class Endless: Subject<Int, Never> {
      override func receive(event: Signal<Int, Never>.Event) {
        if event.isNext { super.receive(event: event) }
      }
    }
    let subject = Endless()
    let (recorder, disposable) = subject.record()
    subject.send(1)
    subject.send(completion: .finished)
    subject.send(2)
    #expect(subject.isTerminated)
    #expect(recorder.drawn == "1")
    disposable.dispose()
  }

  @Test("A subject calls overridden methods one at a time, so that observers miss nothing")
  func hooksOnThreads() {
    for _ in 0..<20 {
      let subject = History()
      let recorders = (0..<2).map { _ in EventRecorder<Int, Never>() }
      onThreads(4) { number in
        if number < 2 {
          for element in 0..<100 { subject.send(element) }
        } else {
          _ = subject.observe { recorders[number - 2].on($0) }
        }
      }
      for recorder in recorders {
        #expect(recorder.elements == subject.kept.compactMap(\.element))
        #expect(recorder.overlapCount == 0)
      }
    }
  }

  @Test("A subject sends to its observers in the order in which they subscribed")
  func order() {
    let subject = PassthroughSubject<Int, Never>()
    var steps: [String] = []
    let disposables = ["a", "b", "c"].map { name in
      subject.observeNext { steps.append("\(name)\($0)") }
    }
    subject.send(1)
    disposables[1].dispose()
    subject.send(2)
    #expect(steps == ["a1", "b1", "c1", "a2", "c2"])
  }

  @Test("A subject ignores events after its end, and sends the end to late observers")
  func end() {
    let subject = PassthroughSubject<Int, TestError>()
    let (recorder, disposable) = subject.record()
    subject.send(1)
    subject.send(completion: .failure(TestError()))
    subject.send(2)
    subject.send(completion: .finished)
    #expect(recorder.drawn == "1!")
    #expect(subject.isTerminated)
    #expect(disposable.isDisposed)
    #expect(subject.drawn == "!")
  }

  @Test("A subject delivers an observer's events after the current one, to all in one order")
  func reentrancy() {
    let subject = PassthroughSubject<Int, Never>()
    let (first, second) = (EventRecorder<Int, Never>(), EventRecorder<Int, Never>())
    let disposable = subject.observe { event in
      first.on(event) { if let element = event.element, element < 5 { subject.send(element + 1) } }
    }
    _ = subject.observe { second.on($0) }
    subject.send(1)
    disposable.dispose()
    #expect(first.elements == [1, 2, 3, 4, 5])
    #expect(second.elements == [1, 2, 3, 4, 5])
    #expect(first.overlapCount == 0)
  }

  @Test("A subject doesn't send the current event to observers that come or go during delivery")
  func comingAndGoing() {
    let subject = PassthroughSubject<Int, Never>()
    var steps: [String] = []
    let second = SerialDisposable(otherDisposable: nil)
    let first = subject.observeNext { element in
      steps.append("a\(element)")
      second.dispose()
      if element == 1 { _ = subject.observeNext { steps.append("c\($0)") } }
    }
    second.otherDisposable = subject.observeNext { steps.append("b\($0)") }
    subject.send(1)
    subject.send(2)
    first.dispose()
    #expect(steps == ["a1", "a2", "c2"])
  }

  @Test("An observer that subscribes during a delivery doesn't get events sent before it came")
  func lateObserver() {
    let subject = PassthroughSubject<Int, Never>()
    let late = EventRecorder<Int, Never>()
    let (early, _) = subject.record()
    let observation = subject.observeNext { element in
      guard element == 1 else { return }
      subject.send(2)
      _ = subject.observe { late.on($0) }
      subject.send(3)
    }
    subject.send(1)
    #expect(early.drawn == "123")
    #expect(late.drawn == "3")
    observation.dispose()
  }

  @Test("An observer that subscribes while the end waits for delivery gets only the end")
  func lateObserverOfEnd() {
    let subject = PassthroughSubject<Int, Never>()
    let late = EventRecorder<Int, Never>()
    _ = subject.observeNext { element in
      guard element == 1 else { return }
      subject.send(2)
      subject.send(completion: .finished)
      _ = subject.observe { late.on($0) }
    }
    subject.send(1)
    #expect(late.drawn == "|")
  }

  @Test(
    "A replay includes elements that wait for delivery, and the observer gets each of them once",
    arguments: [(0, "4|"), (1, "34|"), (2, "234|"), (3, "1234|")])
  func lateReplay(size: Int, expected: String) {
    let subject = ReplaySubject<Int, Never>(bufferSize: size)
    let late = EventRecorder<Int, Never>()
    var received = ""
    let (early, _) = subject.record()
    _ = subject.observeNext { element in
      guard element == 1 else { return }
      subject.send(2)
      subject.send(3)
      _ = subject.observe { late.on($0) }
      received = late.drawn
      subject.send(4)
      subject.send(completion: .finished)
    }
    subject.send(1)
    #expect(received == expected.dropLast(2))
    #expect(late.drawn == expected)
    #expect(early.drawn == "1234|")
  }

  @Test("A replay of a property ends with the value that was set last, silently or not")
  func lateProperty() {
    let property = Property(0)
    let late = EventRecorder<Int, Never>()
    let last = EventRecorder<Int, Never>()
    let observation = property.observeNext { element in
      guard element == 1 else { return }
      property.value = 2
      _ = property.observe { late.on($0) }
      property.silentUpdate(value: 3)
      _ = property.observe { last.on($0) }
    }
    property.value = 1
    #expect(late.drawn == "2")
    #expect(last.drawn == "3")
    #expect(property.drawn == "3")
    observation.dispose()
  }

  @Test(
    "A subject keeps track of many observers that leave in any order", arguments: [1, 3, 7, 11])
  func removal(step: Int) {
    let subject = PassthroughSubject<Int, Never>()
    var counts = Array(repeating: 0, count: 100)
    let disposables = (0..<100).map { index in subject.observeNext { _ in counts[index] += 1 } }
    for sent in 0..<100 {
      subject.send(sent)
      disposables[sent * step % 100 == sent ? sent : (sent * step) % 100].dispose()
      disposables[(sent * step) % 100].dispose()
    }
    for (index, count) in counts.enumerated() {
      let gone = (0..<100).first { ($0 * step) % 100 == index } ?? 99
      #expect(count == gone + 1)
    }
  }

  @Test("A deallocated subject frees its observers")
  func freed() {
    #expect(
      isFreed { canary in
        PassthroughSubject<Int, Never>().observeNext { _ in canary.sing() }
      })
  }

  @Test("ReplaySubject replays the latest elements and the end", arguments: [0, 1, 2, 3, .max])
  func replay(size: Int) {
    let subject = ReplaySubject<Int, TestError>(bufferSize: size)
    for element in 1...3 { subject.send(element) }
    let expected = Array([1, 2, 3].suffix(min(size, 3)))
    #expect(subject.elements == expected)
    subject.send(completion: .failure(TestError()))
    let (recorder, _) = subject.record()
    #expect(recorder.elements == expected)
    #expect(recorder.error != nil)
  }

  @Test("ReplayOneSubject replays the latest element, even nil, and the end")
  func replayOne() {
    let subject = ReplayOneSubject<Int?, Never>()
    #expect(subject.elements.isEmpty)
    subject.send(1)
    subject.send(nil)
    #expect(subject.elements == [nil])
    subject.send(completion: .finished)
    #expect(subject.record().recorder.isCompleted)
  }

  @Test("Elements that an observer sends during a replay arrive after the replay")
  func sendDuringReplay() {
    let subject = ReplaySubject<Int, Never>()
    for element in 1...3 { subject.send(element) }
    let recorder = EventRecorder<Int, Never>()
    _ = subject.observe { event in
      recorder.on(event) {
        if event.element == 1 { subject.send(4) }
        if event.element == 2 { subject.send(completion: .finished) }
      }
    }
    #expect(recorder.drawn == "1234|")
    #expect(recorder.overlapCount == 0)
  }

  @Test("An observer that is disposed during a replay gets no more elements")
  func disposeDuringReplay() {
    let subject = ReplaySubject<Int, Never>()
    for element in 1...3 { subject.send(element) }
    #expect(subject.prefix(maxLength: 2).drawn == "12|")
  }

  @Test("A replay has no gaps or duplicates, and keeps the order, while other threads send")
  func replayThreads() {
    for _ in 0..<20 {
      let subject = ReplaySubject<Int, Never>()
      let recorders = (0..<3).map { _ in EventRecorder<Int, Never>() }
      onThreads(4) { number in
        if number == 3 {
          for element in 0..<200 { subject.send(element) }
          subject.send(completion: .finished)
        } else {
          _ = subject.observe { recorders[number].on($0) }
        }
      }
      for recorder in recorders {
        #expect(recorder.elements == Array(0..<200))
        #expect(recorder.isCompleted && recorder.isGrammatical)
        #expect(recorder.overlapCount == 0)
      }
    }
  }

  @Test("A subject delivers the events of several threads one after another, without loss")
  func threads() {
    let subject = PassthroughSubject<Int, Never>()
    let (first, _) = subject.record()
    let (second, _) = subject.record()
    onThreads(4) { number in
      for index in 0..<300 {
        subject.send(number * 1_000 + index)
        if index % 50 == 0 { subject.observeNext { _ in }.dispose() }
      }
    }
    #expect(first.elements.count == 1_200)
    #expect(first.elements == second.elements)
    #expect(first.overlapCount == 0)
  }

  @Test("A subject that is bound to a signal doesn't get the signal's end")
  func binding() {
    let subject = PassthroughSubject<Int, Never>()
    let (recorder, _) = subject.record()
    Signal<Int, Never>(sequence: 1...2).bind(to: subject)
    #expect(recorder.drawn == "12")
  }
}
