import Dispatch
import ReactiveKit
import TestSupport
import Testing

@Suite("debounce", .ownThread)
struct DebounceTests {
  private func play(_ input: String, for seconds: Double, disposeAt second: Int? = nil) -> String {
    onStage { stage in
      stage.play(
        stage.cold(input).debounce(for: seconds, scheduler: stage.time), disposeAt: second)
    }
  }

  @Test(
    "debounce sends an element after the interval has passed without a newer one",
    arguments: [
      (input: "--1-2-3-----4-|", expected: "---------3----(4|)"),
      (input: "1---|", expected: "---1|"),
      (input: "1----2----|", expected: "---1----2-|"),
      (input: "1-2-3-4", expected: "---------4"),
      (input: "|", expected: "|"),
      (input: "----|", expected: "----|"),
      (input: "!", expected: "!"),
    ])
  func elements(input: String, expected: String) {
    #expect(play(input, for: 3) == expected)
  }

  @Test("debounce sends a waiting element on completion, and drops it on failure")
  func end() {
    #expect(play("1|", for: 3) == "-(1|)")
    #expect(play("1!", for: 3) == "-!")
  }

  @Test("debounce drops a waiting element when the observation is disposed")
  func disposal() {
    #expect(play("1-------|", for: 3, disposeAt: 2) == "")
  }

  @Test("debounce disposes its source when the source ends")
  func lifetimes() {
    onStage { stage in
      let source = stage.cold("1-|")
      _ = stage.play(source.debounce(for: 5, scheduler: stage.time))
      #expect(source.lifetimes == [Lifetime(0, 2)])
    }
  }

  @Test("debounce delivers on the queue that it was given")
  func queue() {
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "test.debounce")
    queue.setSpecific(key: key, value: true)
    let subject = PassthroughSubject<Int, Never>()
    let isOver = Flag()
    var isOnQueue = false
    let disposable = subject.debounce(for: 0.001, queue: queue).observeNext { _ in
      isOnQueue = DispatchQueue.getSpecific(key: key) == true
      isOver.raise()
    }
    subject.send(1)
    #expect(isOver.wait())
    #expect(isOnQueue)
    disposable.dispose()
  }
}
