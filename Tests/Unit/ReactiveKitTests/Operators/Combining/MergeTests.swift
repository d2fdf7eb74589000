import ReactiveKit
import TestSupport
import Testing

@Suite("merge")
struct MergeTests {
  @Test(
    "merge sends the elements of both signals as they arrive",
    arguments: [
      (left: "--1-----2--|", right: "----a------b--|", expected: "--1-a---2--b--|"),
      (left: "1!", right: "-----a|", expected: "1!"),
      (left: "----1|", right: "a!", expected: "a!"),
      (left: "|", right: "--|", expected: "--|"),
      (left: "1", right: "|", expected: "1"),
    ])
  func elements(left: String, right: String, expected: String) {
    onStage { stage in
      #expect(stage.play(stage.cold(left).merge(with: stage.cold(right))) == expected)
    }
  }

  @Test("merge disposes each signal when it ends, and the other one when one fails")
  func lifetimes() {
    onStage { stage in
      let (left, right) = (stage.cold("1-|"), stage.cold("a---b-|"))
      _ = stage.play(left.merge(with: right))
      #expect(left.lifetimes == [Lifetime(0, 2)])
      #expect(right.lifetimes == [Lifetime(0, 6)])
    }
    onStage { stage in
      let (left, right) = (stage.cold("--!"), stage.cold("a---b-|"))
      _ = stage.play(left.merge(with: right))
      #expect(right.lifetimes == [Lifetime(0, 2)])
    }
  }

  @Test("merge doesn't observe the second signal if the first ends the observation")
  func earlyEnd() {
    onStage { stage in
      let right = stage.cold("1|")
      _ = stage.play(Signal<String, TestError>(just: "0").merge(with: right).first())
      #expect(right.lifetimes.isEmpty)
    }
  }

  @Test("merge merges a signal with itself")
  func itself() {
    let signal = Signal<Int, Never>(sequence: 1...2)
    #expect(signal.merge(with: signal).drawn == "1212|")
  }
}
