import ReactiveKit
import TestSupport
import Testing

@Suite("pausable and flatMapFilter")
struct PausableTests {
  @Test(
    "pausable passes elements while the other signal's latest element is true or missing",
    arguments: [
      (source: "123456|", other: "--f-t-", expected: "12--56|"),
      (source: "12-!", other: "f", expected: "---!"),
      (source: "123|", other: "-f|", expected: "1--|"),
      (source: "123|", other: "-!", expected: "123|"),
    ])
  func pausable(source: String, other: String, expected: String) {
    onStage { stage in
      let gate = stage.hot(other).signal.map { $0 == "t" }
      #expect(stage.play(stage.cold(source).signal.pausable(by: gate)) == expected)
    }
  }

  @Test("pausable disposes the other signal when the source ends")
  func disposal() {
    onStage { stage in
      let other = stage.cold("-----------t|")
      let signal = stage.cold("1-|").signal.pausable(by: other.signal.map { $0 == "t" })
      #expect(stage.play(signal) == "1-|")
      #expect(other.lifetimes == [Lifetime(0, 2)])
    }
  }

  @Test("flatMapFilter keeps order with concat, and drops outdated elements with latest")
  func flatMapFilter() {
    onStage { stage in
      let answer = { (element: String) -> SafeSignal<Bool> in
        SafeSignal(just: element != "2", after: element == "1" ? 3 : 1, scheduler: stage.time)
      }
      #expect(stage.play(stage.cold("123|").signal.flatMapFilter(.concat, answer)) == "---1-(3|)")
    }
    onStage { stage in
      let answer = { (element: String) -> SafeSignal<Bool> in
        SafeSignal(just: true, after: 2, scheduler: stage.time)
      }
      #expect(
        stage.play(stage.cold("12--3|").signal.flatMapFilter(.latest, answer)) == "---2--(3|)")
    }
  }
}
