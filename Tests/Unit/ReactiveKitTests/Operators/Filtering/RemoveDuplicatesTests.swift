import ReactiveKit
import TestSupport
import Testing

@Suite("removeDuplicates")
struct RemoveDuplicatesTests {
  @Test(
    "removeDuplicates drops an element only if it equals the previous one",
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

  @Test("removeDuplicates(by:) compares each element with the last one that was sent")
  func closure() {
    let signal = Signal<Int, Never>(sequence: [1, 2, 3, 4, 7])
    #expect(signal.removeDuplicates { abs($0 - $1) < 2 }.elements == [1, 3, 7])
  }

  @Test("removeDuplicates treats nil like any other element")
  func optionals() {
    let signal = Signal<Int?, Never>(sequence: [nil, nil, 1, nil])
    #expect(signal.removeDuplicates().elements == [nil, 1, nil])
  }
}
