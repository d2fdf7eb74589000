import ReactiveKit
import TestSupport
import Testing

@Suite("zip")
struct ZipTests {
  @Test(
    "zip joins the first elements, then the second ones, and so on",
    arguments: [
      (left: "--1--2-----3--|", right: "----a--b------|", expected: "----[1a]--[2b]------|"),
      (left: "(123)", right: "-a-b|", expected: "-[1a]-[2b]|"),
      (left: "1|", right: "--a--b", expected: "--([1a]|)"),
      (left: "1!", right: "--a", expected: "-!"),
      (left: "|", right: "--a", expected: "|"),
      (left: "--a", right: "|", expected: "|"),
    ])
  func elements(left: String, right: String, expected: String) {
    onStage { stage in
      let signal = stage.cold(left).zip(with: stage.cold(right)) { $0 + $1 }
      #expect(stage.play(signal) == expected)
    }
  }

  @Test("zip disposes both signals as soon as no further pair is possible")
  func lifetimes() {
    onStage { stage in
      let (left, right) = (stage.cold("1|"), stage.cold("--a--b"))
      _ = stage.play(left.zip(with: right))
      #expect(left.lifetimes == [Lifetime(0, 1)])
      #expect(right.lifetimes == [Lifetime(0, 2)])
    }
  }

  @Test("zip keeps the order of elements that wait for a partner")
  func waiting() {
    let (left, right) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let (recorder, _) = left.zip(with: right).record()
    for number in 0..<1_000 { left.send(number) }
    for number in 0..<1_000 { right.send(number) }
    #expect(recorder.elements.map(\.0) == Array(0..<1_000))
    #expect(recorder.elements.allSatisfy { $0.0 == $0.1 })
  }
}
