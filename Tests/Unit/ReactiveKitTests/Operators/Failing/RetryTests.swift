import ReactiveKit
import TestSupport
import Testing

@Suite("retry", .ownThread)
struct RetryTests {
  @Test(
    "retry observes its source at most the given number of additional times",
    arguments: [
      (times: 1, input: "--1--!", expected: "--1----1--!"),
      (times: 0, input: "1!", expected: "1!"),
      (times: -1, input: "1!", expected: "1!"),
      (times: 2, input: "-!", expected: "---!"),
      (times: 2, input: "1|", expected: "1|"),
    ])
  func elements(times: Int, input: String, expected: String) {
    #expect(marbles(input) { $0.retry(times) } == expected)
  }

  @Test("retry disposes each attempt before the next one, and the last one when it ends")
  func lifetimes() {
    onStage { stage in
      let source = stage.cold("-1-!")
      #expect(stage.play(source.retry(2)) == "-1--1--1-!")
      #expect(source.lifetimes == [Lifetime(0, 3), Lifetime(3, 6), Lifetime(6, 9)])
    }
  }

  @Test("Disposing a retry disposes the current attempt")
  func disposal() {
    onStage { stage in
      let source = stage.cold("-1-!")
      #expect(stage.play(source.retry(2), disposeAt: 5) == "-1--1")
      #expect(source.lifetimes == [Lifetime(0, 3), Lifetime(3, 5)])
    }
  }

  @Test("retry forwards a failure immediately if its closure rejects it")
  func condition() {
    var asked = 0
    let signal = Signal<Int, TestError>.failed(TestError("fatal")).retry(5) { error in
      asked += 1
      return error.name != "fatal"
    }
    #expect(signal.record().recorder.error == TestError("fatal"))
    #expect(asked == 1)
  }

  @Test("retry runs the producer again, and stops after the first success")
  func success() {
    var attempts = 0
    let signal = Signal<Int, TestError> { observer in
      attempts += 1
      if attempts < 3 {
        observer.on(.failed(TestError()))
      } else {
        observer.receive(lastElement: 7)
      }
      return NonDisposable.instance
    }
    #expect(signal.retry(5).drawn == "7|")
    #expect(attempts == 3)
  }

  @Test(
    "Disposing an observation stops attempts that end immediately, and frees the observer",
    arguments: isSanitized ? ["retry"] : ["retry", "retry(when:)", "repeat(when:)"])
  func endless(_ name: String) async {
    // The canary is deallocated after the last attempt.
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let canary = Canary { continuation.resume() }
      let failed = PassthroughSubject<Int, TestError>()
      failed.send(completion: .failure(TestError()))
      let source = failed.handleEvents(receiveSubscription: { canary.sing() })
      let signal: Signal<Int, TestError> =
        switch name {
        case "retry": source.retry(.max)
        case "retry(when:)": source.retry(when: SafeSignal(just: ()))
        default: source.replaceError(with: 1).castError().repeat { _ in SafeSignal(just: ()) }
        }
      signal.observe { _ in }.dispose()
    }
  }

  @Test("An attempt that sends to its own trigger doesn't retry itself")
  func ownTrigger() {
    let trigger = PassthroughSubject<Int, Never>()
    var attempts = 0
    let source = Signal<Int, TestError> { observer in
      attempts += 1
      if attempts < 1_000 { trigger.send(0) }
      observer.on(.failed(TestError()))
      return NonDisposable.instance
    }
    let disposable = source.retry(when: trigger).observe { _ in }
    trigger.send(0)
    #expect(attempts == 2)
    disposable.dispose()
  }

  @Test(
    "A sender regains control from attempts that trigger each other endlessly",
    .enabled(if: !isSanitized, "it has one thread, and takes a minute with a sanitizer"),
    arguments: ["retry", "retry(when:)", "repeat(when:)"])
  func endlessTrigger(_ name: String) async {
    let attempts = Locked(0)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let canary = Canary { continuation.resume() }
      let trigger = PassthroughSubject<Int, Never>()
      // Sends after the end of the attempt, which causes the next attempt. The number of attempts
      // is limited, so that the test fails instead of hanging without the library's own limit.
      let source = Signal<Int, TestError> { observer in
        canary.sing()
        let count = attempts.withLock { attempts in
          attempts += 1
          return attempts
        }
        guard count < 300_000 else { return NonDisposable.instance }
        if name == "retry" {
          let next = trigger.observeNext { _ in observer.on(.failed(TestError())) }
          if count > 1 { trigger.send(0) }
          return next
        }
        observer.on(.next(1))
        observer.on(name == "repeat(when:)" ? .completed : .failed(TestError()))
        if count > 1 { trigger.send(0) }
        return NonDisposable.instance
      }
      let signal: Signal<Int, TestError> =
        switch name {
        case "retry": source.retry(.max)
        case "retry(when:)": source.retry(when: trigger)
        default: source.repeat { _ in trigger }
        }
      let disposable = signal.observe { _ in }
      trigger.send(0)
      disposable.dispose()
    }
    #expect(attempts.withLock { $0 } < 300_000)
  }

  @Test("Another thread can stop an endless series of attempts")
  func stoppedFromOutside() {
    let begun = Flag()
    let stop = PassthroughSubject<Void, Never>()
    let failed = Signal<Int, TestError>.failed(TestError())
      .handleEvents(receiveSubscription: { begun.raise() })
    let signal = failed.retry(when: SafeSignal(just: ())).prefix(untilOutputFrom: stop)
    let recorder = EventRecorder<Int, TestError>()
    onThreads(2) { thread in
      if thread == 0 {
        signal.observe { recorder.on($0) }.dispose()
      } else {
        begun.wait()
        stop.send()
      }
    }
    #expect(recorder.drawn == "|")
  }

  @Test("A hundred thousand immediate failures don't overflow the stack")
  func manyFailures() {
    var attempts = 0
    let signal = Signal<Int, TestError>(deferring: {
      attempts += 1
      return Signal<Int, TestError>.failed(TestError())
    })
    #expect(signal.retry(100_000).drawn == "!")
    #expect(attempts == 100_001)
  }
}
