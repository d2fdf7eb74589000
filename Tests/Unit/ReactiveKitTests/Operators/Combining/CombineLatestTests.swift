import ReactiveKit
import TestSupport
import Testing

@Suite("combineLatest")
struct CombineLatestTests {
  @Test(
    "combineLatest joins the latest elements each time either signal sends one",
    arguments: [
      (left: "--1-----2-----|", right: "----a------b--|", expected: "----[1a]---[2a]--[2b]--|"),
      (left: "1-2|", right: "----a-b|", expected: "----[2a]-[2b]|"),
      (left: "1|", right: "|", expected: "-|"),
      (left: "1-!", right: "a", expected: "[1a]-!"),
      (left: "1", right: "a-!", expected: "[1a]-!"),
      (left: "|", right: "a-b|", expected: "---|"),
    ])
  func elements(left: String, right: String, expected: String) {
    onStage { stage in
      let signal = stage.cold(left).combineLatest(with: stage.cold(right)) { $0 + $1 }
      #expect(stage.play(signal) == expected)
    }
  }

  @Test("combineLatest disposes each signal when it ends, and both when either fails")
  func lifetimes() {
    onStage { stage in
      let (left, right) = (stage.cold("1-|"), stage.cold("a---b-!"))
      _ = stage.play(left.combineLatest(with: right))
      #expect(left.lifetimes == [Lifetime(0, 2)])
      #expect(right.lifetimes == [Lifetime(0, 6)])
    }
    onStage { stage in
      let (left, right) = (stage.cold("1-!"), stage.cold("a---b-|"))
      _ = stage.play(left.combineLatest(with: right))
      #expect(right.lifetimes == [Lifetime(0, 2)])
    }
  }

  @Test("combineLatest disposes both signals with the observation")
  func disposal() {
    onStage { stage in
      let (left, right) = (stage.cold("1-----|"), stage.cold("a-----|"))
      _ = stage.play(left.combineLatest(with: right), disposeAt: 3)
      #expect(left.lifetimes == [Lifetime(0, 3)])
      #expect(right.lifetimes == [Lifetime(0, 3)])
    }
  }

  @Test("combineLatest doesn't observe the second signal if the first fails immediately")
  func synchronousFailure() {
    onStage { stage in
      let right = stage.cold("1|")
      let left = Signal<String, TestError>.failed(TestError())
      #expect(stage.play(left.combineLatest(with: right)) == "!")
      #expect(right.lifetimes.isEmpty)
    }
  }

  @Test("combineLatest delivers elements in order if its observer sends more of them")
  func reentrancy() {
    let (left, right) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = EventRecorder<String, Never>()
    let disposable = left.combineLatest(with: right) { "\($0)\($1)" }.observe { event in
      recorder.on(event) {
        if event.element == "11" {
          left.send(2)
          right.send(2)
        }
      }
    }
    left.send(1)
    right.send(1)
    disposable.dispose()
    #expect(recorder.elements == ["11", "21", "22"])
    #expect(recorder.overlapCount == 0)
  }
}
