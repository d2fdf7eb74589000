import ReactiveKit
import TestSupport
import Testing

@Suite("removeDuplicates")
struct RemoveDuplicatesTests {
  @Test(
    "drops an element only when it repeats the one before it",
    arguments: [
      (input: "1-1-2|", expected: "1---2|"),
      (input: "1-2-1|", expected: "1-2-1|"),
      (input: "--1--1--2--2--1--|", expected: "--1-----2-----1--|"),
      (input: "(111)!", expected: "1!"),
      (input: "|", expected: "|"),
    ])
  func adjacentRepeats(input: String, expected: String) {
    #expect(marbles(input) { $0.removeDuplicates() } == expected)
  }

  @Test("compares with the element sent last, by the closure")
  func closure() {
    let signal = Signal<Int, Never>(sequence: [1, 2, 3, 4, 7])
    #expect(signal.removeDuplicates { abs($0 - $1) < 2 }.elements == [1, 3, 7])
  }

  @Test("takes nil for an element like any other")
  func optionals() {
    let signal = Signal<Int?, Never>(sequence: [nil, nil, 1, nil])
    #expect(signal.removeDuplicates().elements == [nil, 1, nil])
  }
}
