import ReactiveKit
import TestSupport
import Testing

@Suite("dropFirst")
struct DropFirstTests {
  @Test(
    "dropFirst skips the given number of elements",
    arguments: [
      (count: 2, input: "--1--2--3--|", expected: "--------3--|"),
      (count: 0, input: "1-2|", expected: "1-2|"),
      (count: -1, input: "1-2|", expected: "1-2|"),
      (count: 5, input: "1-2|", expected: "---|"),
      (count: 5, input: "1-2!", expected: "---!"),
    ])
  func elements(count: Int, input: String, expected: String) {
    #expect(marbles(input) { $0.dropFirst(count) } == expected)
  }

  @Test("dropFirst counts separately for each observation")
  func independence() {
    let signal = Signal<Int, Never>(sequence: 1...3).dropFirst(2)
    #expect(signal.elements == [3])
    #expect(signal.elements == [3])
  }
}
