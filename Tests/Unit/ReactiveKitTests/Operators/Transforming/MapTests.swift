import ReactiveKit
import TestSupport
import Testing

@Suite("map")
struct MapTests {
  @Test(
    "map sends the result of its closure for each element, and the end",
    arguments: [
      (input: "-1-2|", expected: "-2-3|"),
      (input: "1!", expected: "2!"),
      (input: "|", expected: "|"),
      (input: "(12|)", expected: "(23|)"),
    ])
  func elements(input: String, expected: String) {
    #expect(marbles(input) { $0.ints.map { $0 + 1 } } == expected)
  }

  @Test("map changes the type of the elements")
  func types() {
    #expect(Signal<Int, Never>(just: 1).map { "\($0)!" }.elements == ["1!"])
  }
}
