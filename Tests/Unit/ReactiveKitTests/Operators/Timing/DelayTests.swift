import ReactiveKit
import TestSupport
import Testing

@Suite("delay")
struct DelayTests {
  private func play(_ input: String, _ seconds: Double, disposeAt second: Int? = nil) -> String {
    onStage { stage in
      stage.play(
        stage.cold(input).delay(interval: seconds, scheduler: stage.time), disposeAt: second)
    }
  }

  @Test(
    "delay sends each event later, including the end",
    arguments: [
      (input: "--1--2--|", expected: "----1--2--|"),
      (input: "(12)-3!", expected: "--(12)-3!"),
      (input: "|", expected: "--|"),
      (input: "1234|", expected: "--1234|"),
    ])
  func elements(input: String, expected: String) {
    #expect(play(input, 2) == expected)
  }

  @Test("delay keeps the order of elements if the interval is zero or negative")
  func zero() {
    #expect(play("(12)3|", 0) == "(12)3|")
    #expect(play("(12)3|", -1) == "(12)3|")
  }

  @Test("delay drops waiting events when the observation is disposed")
  func disposal() {
    #expect(play("1-2-3|", 3, disposeAt: 4) == "---1")
  }

  @Test("delay disposes its source when the source ends")
  func lifetimes() {
    onStage { stage in
      let source = stage.cold("1-|")
      _ = stage.play(source.delay(interval: 5, scheduler: stage.time))
      #expect(source.lifetimes == [Lifetime(0, 2)])
    }
  }

  @Test("delay doesn't drift if the observer is slow")
  func slowObserver() {
    let stage = Stage()
    var times: [UInt64] = []
    let disposable = stage.cold("0123").delay(interval: 2, scheduler: stage.time).observeNext { _ in
      times.append(stage.time.now / 100_000_000)
      stage.time.advance(by: 0.9)
    }
    stage.time.run()
    #expect(times == [20, 30, 40, 50])
    disposable.dispose()
  }
}
