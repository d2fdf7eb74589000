import ReactiveKit
import TestSupport
import Testing

@Suite("timeout")
struct TimeoutTests {
  private func play(_ input: String, disposeAt second: Int? = nil) -> String {
    onStage { stage in
      stage.play(
        stage.cold(input).timeout(after: 4, with: TestError(), scheduler: stage.time),
        disposeAt: second)
    }
  }

  @Test(
    "timeout fails after the interval has passed without an event",
    arguments: [
      (input: "--1--2-----------", expected: "--1--2---!"),
      (input: "", expected: "----!"),
      (input: "--1--2--|", expected: "--1--2--|"),
      (input: "1!", expected: "1!"),
      (input: "|", expected: "|"),
    ])
  func elements(input: String, expected: String) {
    #expect(play(input) == expected)
  }

  @Test("timeout disposes its source when it fails")
  func lifetimes() {
    onStage { stage in
      let source = stage.cold("1")
      let error = TestError("late")
      let signal = source.timeout(after: 4, with: error, scheduler: stage.time)
      #expect(stage.play(signal) == "1---!")
      #expect(source.lifetimes == [Lifetime(0, 4)])
    }
  }

  @Test("timeout doesn't fail an observation that was disposed")
  func disposal() {
    #expect(play("1", disposeAt: 2) == "1")
  }

  @Test("timeout starts again for each attempt of a retry")
  func retry() {
    onStage { stage in
      let source = stage.cold("1")
      let signal = source.timeout(after: 4, with: TestError(), scheduler: stage.time).retry(1)
      #expect(stage.play(signal) == "1---1---!")
      #expect(source.lifetimes == [Lifetime(0, 4), Lifetime(4, 8)])
    }
  }
}
