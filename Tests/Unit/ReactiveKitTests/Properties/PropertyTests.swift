import ReactiveKit
import TestSupport
import Testing

@Suite("Property", .ownThread)
struct PropertyTests {
  @Test("A property sends its current value, then each new value, and completes when deallocated")
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

  @Test("A value that an observer sets is readable immediately, and is delivered in order")
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

  @Test("A silent update is visible to readers and later observers, but isn't sent")
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

  @Test("A later observer gets a value that was set silently while another one waited for delivery")
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

  @Test("A property of an optional treats nil as a value")
  func optionals() {
    let property = Property<Int?>(nil)
    #expect(property.value == nil)
    #expect(property.elements == [nil])
    property.value = 1
    property.value = nil
    #expect(property.elements == [nil])
  }

  @Test("A property can send through a given subject")
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

  @Test("A property completes its observers even if it is deallocated while its subject delivers")
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

  @Test("A deallocated property frees its value and its observers")
  func freed() {
    #expect(
      isFreed { canary in
        let property = Property<Canary?>(canary)
        return property.observeNext { _ in canary.sing() }
      })
  }

  @Test("A property follows a bound signal until it is deallocated")
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

  @Test("A read-only view shows the current value of its property")
  func readOnlyView() {
    let property = Property(1)
    let view = property.readOnlyView
    property.value = 2
    #expect(view.value == 2)
    #expect(view.elements == [2])
  }

  @Test("Values that threads set are each sent once, in one order, and the last one remains")
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

  @Test("A property ignores values that its own subject replays")
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
