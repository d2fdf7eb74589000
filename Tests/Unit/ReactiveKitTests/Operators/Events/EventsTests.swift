import ReactiveKit
import TestSupport
import Testing

@Suite("Operators on events", .ownThread)
struct EventsTests {
  @Test("materialize sends the end as an element, and dematerialize restores it")
  func materialize() {
    #expect(marbles("1-!") { $0.materialize().map { $0.isNext ? "n" : "f" } } == "n-(f|)")
    #expect(marbles("1-|") { $0.materialize().map { $0.isNext ? "n" : "c" } } == "n-(c|)")
    for input in ["1-2|", "1-2!", "|", "1-2"] {
      #expect(
        marbles(input) { $0.materialize().dematerialize() as Signal<String, TestError> } == input)
    }
  }

  @Test("dematerialize ends at the first end event, and sends nothing after it")
  func dematerialize() {
    let events: [Signal<Int, TestError>.Event] = [.next(1), .completed, .next(2)]
    let signal = SafeSignal(sequence: events).dematerialize() as Signal<Int, TestError>
    #expect(signal.drawn == "1|")
  }

  @Test("feedActivity sends false after each way to end", arguments: ["1-|", "1-!", "1-2"])
  func feedActivity(input: String) {
    let activity = SafeReplaySubject<Bool>()
    _ = marbles(input, disposeAt: 9) { $0.feedActivity(into: activity) }
    #expect(activity.elements == [true, false])
  }

  @Test("feedNext and feedError feed their subjects before they forward the event")
  func feed() {
    var log = ""
    let fed = PassthroughSubject<Int, Never>()
    let errors = PassthroughSubject<TestError, Never>()
    let bag = DisposeBag()
    bag += fed.observeNext { log += "f\($0)" }
    bag += errors.observeNext { _ in log += "e" }
    bag += Signal<Int, TestError>(sequence: [1, 2]).append(
      Signal<Int, TestError>.failed(TestError())
    )
    .feedNext(into: fed, when: { $0 > 1 }, map: { $0 * 10 }).feedError(into: errors)
    .observe { log += $0.isNext ? "n" : "!" }
    #expect(log == "nf20ne!")
    bag.dispose()
  }

  @Test("repeat observes its source again when the signal of the newest element sends")
  func repeating() {
    onStage { stage in
      var count = 0
      let source = stage.cold("-1|")
      let signal = source.signal.repeat { _ -> SafeSignal<Int> in
        count += 1
        return count < 3 ? SafeSignal(just: 0, after: 2, scheduler: stage.time) : .completed()
      }
      #expect(stage.play(signal) == "-1--1--1|")
      #expect(source.lifetimes == [Lifetime(0, 2), Lifetime(3, 5), Lifetime(6, 8)])
    }
  }

  @Test("repeat ends exactly once while threads send to its source and its trigger")
  func repeatingThreads() {
    for _ in 0..<50 {
      let source = PassthroughSubject<Int, TestError>()
      let other = PassthroughSubject<Int, Never>()
      let (recorder, disposable) = source.repeat { _ in other }.record()
      onThreads(2) { thread in
        for number in 0..<20 {
          if thread == 0 { source.send(number) } else { other.send(number) }
        }
      }
      source.send(100)
      other.send(completion: .finished)
      source.send(completion: .finished)
      #expect(recorder.isCompleted)
      #expect(recorder.isGrammatical)
      #expect(recorder.overlapCount == 0)
      disposable.dispose()
    }
  }

  @Test("repeat completes when source and trigger have completed, and fails with the source")
  func repeatingEnds() {
    onStage { stage in
      let signal = stage.cold("1|").signal.repeat { _ in
        stage.cold("----|").signal.suppressError(logging: false)
      }
      #expect(stage.play(signal) == "1---|")
    }
    #expect(marbles("1-!") { $0.repeat { _ in SafeSignal<Int>.never() } } == "1-!")
  }

  @Test(
    "repeat keeps observing the newest element's signal if an attempt sends no element",
    arguments: [true, false])
  func repeatingAgain(completes: Bool) {
    var attempts = 0
    let trigger = PassthroughSubject<Void, Never>()
    let source = SafeSignal<Int>(deferring: { () -> SafeSignal<Int> in
      attempts += 1
      if attempts == 2 { return completes ? .completed() : .never() }
      return SafeSignal(just: attempts)
    })
    let (recorder, disposable) = source.repeat { _ in trigger }.record()
    for _ in 1...3 { trigger.send() }
    #expect(attempts == 4)
    trigger.send(completion: .finished)
    #expect(recorder.drawn == "134|")
    disposable.dispose()
  }

  @Test("repeat makes one attempt for each element that its trigger sends synchronously")
  func repeatingAtOnce() {
    var attempts = 0
    let source = SafeSignal<Int>(deferring: { () -> SafeSignal<Int> in
      attempts += 1
      return attempts == 2 || attempts == 3 ? .completed() : SafeSignal(just: attempts)
    })
    let signal = source.repeat { $0 == 1 ? SafeSignal(sequence: 1...3) : .completed() }
    #expect(signal.drawn == "14|")
  }

  @Test("repeat ignores the signal of an older element")
  func repeatingOutdated() {
    var attempts = 0
    let source = SafeSignal<Int>(deferring: { () -> SafeSignal<Int> in
      attempts += 1
      return SafeSignal(just: attempts)
    })
    let signal = source.repeat { $0 == 1 ? SafeSignal(sequence: 1...3) : .completed() }
    #expect(signal.drawn == "12|")
    #expect(attempts == 2)
  }

  @Test("feedNext drops an element if its closure disposes the chain")
  func feedDisposed() {
    let stop = PassthroughSubject<Void, Never>()
    let fed = PassthroughSubject<Int, Never>()
    let (recorder, disposable) = fed.record()
    let source = PassthroughSubject<Int, Never>()
    let observation = source.feedNext(into: fed) { number -> Int in
      stop.send()
      return number
    }.prefix(untilOutputFrom: stop).observeNext { _ in }
    source.send(1)
    #expect(recorder.drawn == "")
    observation.dispose()
    disposable.dispose()
  }

  @Test("dematerialize forwards a failure of its source if the error types match")
  func dematerializeFailing() {
    let events = Signal<Signal<Int, TestError>.Event, TestError>(sequence: [.next(1), .next(2)])
    #expect((events.dematerialize() as Signal<Int, TestError>).drawn == "12|")
    let failing = events.append(Signal<Signal<Int, TestError>.Event, TestError>.failed(TestError()))
    #expect(failing.dematerialize().drawn == "12!")
    #expect(events.prepend(.failed(TestError())).dematerialize().drawn == "!")
    #expect(SafeSignal<SafeSignal<Int>.Event>(just: .next(1)).dematerialize().drawn == "1|")
  }
}
