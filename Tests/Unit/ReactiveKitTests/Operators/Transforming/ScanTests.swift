import ReactiveKit
import TestSupport
import Testing

@Suite("scan")
struct ScanTests {
  @Test(
    "scan sends the initial value immediately, then a new result for each element",
    arguments: [
      (input: "---1--2--3--|", expected: "0--1--3--6--|"),
      (input: "--!", expected: "0-!"),
      (input: "--|", expected: "0-|"),
      (input: "1|", expected: "(01)|"),
    ])
  func elements(input: String, expected: String) {
    #expect(marbles(input) { $0.ints.scan(0, +) } == expected)
  }

  @Test("scan starts over for each observation")
  func independence() {
    let signal = Signal<Int, Never>(sequence: 1...3).scan(0, +)
    #expect(signal.elements == [0, 1, 3, 6])
    #expect(signal.elements == [0, 1, 3, 6])
  }

  @Test("scan doesn't observe its source if the initial value ends the observation")
  func earlyEnd() {
    onStage { stage in
      let source = stage.cold("1|")
      #expect(stage.play(source.ints.scan(0, +).first()) == "(0|)")
      #expect(source.lifetimes.isEmpty)
    }
  }
}
