import ReactiveKit
import TestSupport
import Testing

@Suite("Operators that collect elements")
struct CollectingTests {
  @Test(
    "reduce sends its result when the source completes",
    arguments: [("1-2-3|", "-----(6|)"), ("--|", "--(0|)"), ("1-!", "--!"), ("1-2", "")])
  func reduce(input: String, expected: String) {
    #expect(marbles(input) { $0.ints.reduce(0, +) } == expected)
  }

  @Test(
    "collect sends all elements when the source completes",
    arguments: [("1-2|", "---([12]|)"), ("|", "([]|)"), ("1-2!", "---!")])
  func collect(input: String, expected: String) {
    #expect(marbles(input) { $0.collect().map { $0.joined() } } == expected)
  }

  @Test(
    "buffer and window send full batches, and drop the rest",
    arguments: [("12345|", "-[12]-[34]-|"), ("1|", "-|"), ("12!", "-[12]!"), ("|", "|")])
  func buffer(input: String, expected: String) {
    #expect(marbles(input) { $0.buffer(size: 2).map { $0.joined() } } == expected)
    #expect(
      marbles(input) { $0.window(ofSize: 2).flatMapConcat { $0.collect() }.map { $0.joined() } }
        == expected)
  }

  @Test("zipPrevious and pairwise pair each element with the previous one")
  func pairs() {
    #expect(
      marbles("1-2-3|") { $0.zipPrevious().map { "\($0 ?? "x")\($1)" } } == "[x1]-[12]-[23]|")
    #expect(marbles("1-2-3|") { $0.pairwise().map { $0 + $1 } } == "--[12]-[23]|")
    #expect(marbles("1!") { $0.pairwise().map { $0 + $1 } } == "-!")
  }

  @Test("An observer of batches can dispose its own observation")
  func disposal() {
    let disposable = SerialDisposable(otherDisposable: nil)
    var batches: [[Int]] = []
    let subject = PassthroughSubject<Int, Never>()
    disposable.otherDisposable = subject.buffer(size: 2).observeNext {
      batches.append($0)
      disposable.dispose()
    }
    for number in 0..<6 { subject.send(number) }
    #expect(batches == [[0, 1]])
  }

  @Test(
    "buffer and window send nothing if the size is zero or less, and end with the source",
    arguments: [0, -1])
  func emptyBatches(size: Int) {
    for (input, expected) in [("12|", "--|"), ("1!", "-!")] {
      #expect(marbles(input) { $0.buffer(size: size).map { $0.joined() } } == expected)
      #expect(
        marbles(input) {
          $0.window(ofSize: size).flatMapConcat { $0.collect() }.map { $0.joined() }
        }
          == expected)
    }
  }
}
