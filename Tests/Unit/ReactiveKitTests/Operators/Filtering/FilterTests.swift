import ReactiveKit
import TestSupport
import Testing

@Suite("filter")
struct FilterTests {
  @Test(
    "filter sends only the elements that its closure accepts, and the end",
    arguments: [
      (input: "--1--2--3--4--|", expected: "-----2-----4--|"),
      (input: "1-1!", expected: "---!"),
      (input: "|", expected: "|"),
    ])
  func elements(input: String, expected: String) {
    #expect(marbles(input) { $0.ints.filter { $0.isMultiple(of: 2) } } == expected)
  }
}

@Suite("compactMap")
struct CompactMapTests {
  @Test(
    "compactMap sends each result of its closure except nil",
    arguments: [
      (input: "--1--x--3--|", expected: "--1-----3--|"),
      (input: "x!", expected: "-!"),
      (input: "|", expected: "|"),
    ])
  func elements(input: String, expected: String) {
    #expect(marbles(input) { $0.compactMap { Int($0) } } == expected)
  }

  @Test("compactMap sends a nil that is wrapped in an optional")
  func nestedOptionals() {
    let elements = Signal<Int, Never>(just: 1).compactMap { _ in Int??.some(nil) }.elements
    #expect(elements == [nil])
  }
}
