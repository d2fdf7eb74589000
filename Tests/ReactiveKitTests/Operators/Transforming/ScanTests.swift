import ReactiveKit
import TestSupport
import Testing

@Suite("scan")
struct ScanTests {
  @Test(
    "sends the initial value at once, and a new result after each element",
    arguments: [
      (input: "---1--2--3--|", expected: "0--1--3--6--|"),
      (input: "--!", expected: "0-!"),
      (input: "--|", expected: "0-|"),
      (input: "1|", expected: "(01)|"),
    ])
  func elements(input: String, expected: String) {
    #expect(marbles(input) { $0.ints.scan(0, +) } == expected)
  }

  @Test("starts anew for each observation")
  func independence() {
    let signal = Signal<Int, Never>(sequence: 1...3).scan(0, +)
    #expect(signal.elements == [0, 1, 3, 6])
    #expect(signal.elements == [0, 1, 3, 6])
  }

  @Test("does not observe the source where the initial value ends the observation")
  func earlyEnd() {
    onStage { stage in
      let source = stage.cold("1|")
      #expect(stage.play(source.ints.scan(0, +).first()) == "(0|)")
      #expect(source.lifetimes.isEmpty)
    }
  }
}
