import ReactiveKit
import TestSupport
import Testing

@Suite("Property", .ownThread)
struct PropertyTests {
  @Test("sends the current value first, then each one that is set, and completes when it goes")
  func values() {
    let recorder = EventRecorder<Int, Never>()
    do {
      let property = Property(1)
      _ = property.observe { recorder.on($0) }
      property.value = 2
      property.send(3)
      #expect(property.value == 3)
    }
    #expect(recorder.drawn == "123|")
  }

  @Test("takes a value from inside an observer at once for readers, and in order for observers")
  func reentrancy() {
    let property = Property(0)
    let (first, second) = (EventRecorder<Int, Never>(), EventRecorder<Int, Never>())
    var read: [Int] = []
    let disposable = property.observe { event in
      first.on(event) {
        guard event.element == 1 else { return }
        property.value = 2
        read.append(property.value)
      }
    }
    _ = property.observe { second.on($0) }
    property.value = 1
    disposable.dispose()
    #expect(read == [2])
    #expect(first.elements == [0, 1, 2])
    #expect(second.elements == [0, 1, 2])
    #expect(first.overlapCount == 0)
  }

  @Test("updates silently: readers and later observers see the value, present ones do not")
  func silentUpdate() {
    let property = Property(1)
    let (recorder, _) = property.record()
    property.silentUpdate(value: 2)
    #expect(recorder.elements == [1])
    #expect(property.value == 2)
    #expect(property.elements == [2])
    property.value = 3
    #expect(recorder.elements == [1, 3])
    #expect(property.elements == [3])
  }

  @Test("gives later observers a value that was set silently while others waited to be sent")
  func silentUpdateInside() {
    let property = Property(0)
    let disposable = property.observeNext { value in
      guard value == 1 else { return }
      property.value = 2
      property.silentUpdate(value: 3)
    }
    property.value = 1
    #expect(property.value == 3)
    #expect(property.elements == [3])
    disposable.dispose()
  }

  @Test("holds an optional, and nil is a value")
  func optionals() {
    let property = Property<Int?>(nil)
    #expect(property.value == nil)
    #expect(property.elements == [nil])
    property.value = 1
    property.value = nil
    #expect(property.elements == [nil])
  }

  @Test("sends through a subject of its own")
  func ownSubject() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = EventRecorder<Int, Never>()
    do {
      let property = Property(1, subject: subject)
      _ = property.observe { recorder.on($0) }
      property.value = 2
      subject.send(3)
      #expect(property.value == 3)
    }
    #expect(recorder.drawn == "123|")
    #expect(subject.isTerminated)
  }

  @Test("completes its observers also where it goes while its subject delivers")
  func goneDuringDelivery() {
    let subject = PassthroughSubject<Int, Never>()
    var property: Property<Int>? = Property(1, subject: subject)
    let recorder = EventRecorder<Int, Never>()
    _ = property?.observe { event in
      recorder.on(event) { if event.element == 2 { property = nil } }
    }
    subject.send(2)
    #expect(recorder.drawn == "12|")
  }

  @Test("frees its value and its observers when it goes")
  func freed() {
    #expect(
      isFreed { canary in
        let property = Property<Canary?>(canary)
        return property.observeNext { _ in canary.sing() }
      })
  }

  @Test("follows a signal until it goes")
  func binding() {
    let subject = PassthroughSubject<Int, Never>()
    weak var gone: Property<Int>?
    do {
      let property = Property(0)
      gone = property
      subject.bind(to: property)
      subject.send(5)
      #expect(property.value == 5)
      #expect(!property.bag.isDisposed)
    }
    #expect(gone == nil)
    subject.send(6)
  }

  @Test("shows a view that can only be read")
  func readOnlyView() {
    let property = Property(1)
    let view = property.readOnlyView
    property.value = 2
    #expect(view.value == 2)
    #expect(view.elements == [2])
  }

  @Test("ends all threads on one value, and sends each once, in one order")
  func threads() {
    let property = Property(-1)
    let (first, _) = property.record()
    let (second, _) = property.record()
    onThreads(4) { number in
      for index in 0..<200 { property.value = number * 1_000 + index }
    }
    #expect(first.elements.count == 801)
    #expect(first.elements == second.elements)
    #expect(first.elements.last == property.value)
    #expect(first.overlapCount + second.overlapCount == 0)
  }

  @Test("is not set by what its own subject replays")
  func replayingSubject() {
    let subject = ReplayOneSubject<Int, Never>()
    subject.send(5)
    let property = Property(1, subject: subject)
    #expect(property.value == 1)
    let (recorder, disposable) = property.record()
    property.value = 2
    subject.send(3)
    #expect(recorder.elements == [1, 2, 3])
    #expect(property.value == 3)
    disposable.dispose()
  }
}
