import ReactiveKit
import TestSupport
import Testing

@Suite("Operators at the end of a signal")
struct LastTests {
  @Test(
    "last, suffix and dropLast count elements from the end of a signal",
    arguments: [
      ("1-2-3|", "-----(3|)", "-----(23|)", "--1-2|"), ("1|", "-(1|)", "-(1|)", "-|"),
      ("|", "|", "|", "|"), ("1-2!", "---!", "---!", "--1!"),
    ])
  func ends(input: String, last: String, suffix: String, dropLast: String) {
    #expect(marbles(input) { $0.last() } == last)
    #expect(marbles(input) { $0.suffix(maxLength: 2) } == suffix)
    #expect(
      marbles(input) { $0.suffix(maxLength: 0) }
        == "\(input.prefix { $0 != "|" && $0 != "!" }.map { _ in "-" }.joined())\(input.suffix(1))")
    #expect(marbles(input) { $0.dropLast(1) } == dropLast)
    #expect(marbles(input) { $0.dropLast(0) } == input)
  }

  @Test("output(at:) completes after its element, and sends nothing for a negative index")
  func output() {
    #expect(marbles("1-2-3|") { $0.output(at: 1) } == "--(2|)")
    #expect(marbles("1-2|") { $0.output(at: 5) } == "---|")
    #expect(marbles("1-2|") { $0.output(at: -1) } == "---|")
  }

  @Test("ignoreOutput drops all elements, and ignoreTerminal drops the end")
  func ignoring() {
    #expect(marbles("1-2|") { $0.ignoreOutput() } == "---|")
    #expect(marbles("1-2!") { $0.ignoreOutput() } == "---!")
    onStage { stage in
      let source = stage.cold("1-2!")
      #expect(stage.play(source.signal.ignoreTerminal(), disposeAt: 9) == "1-2")
      #expect(source.lifetimes == [Lifetime(0, 3)])
    }
  }

  @Test("suffix stops as soon as its observer has enough")
  func disposal() {
    #expect(marbles("1-2-3|") { $0.suffix(maxLength: 3).first() } == "-----(1|)")
  }
}
