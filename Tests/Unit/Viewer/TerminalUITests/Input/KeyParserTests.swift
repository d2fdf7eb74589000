import TestSupport
import Testing

@testable import TerminalUI

@Suite("KeyParser")
struct KeyParserTests {
  @Test(
    "Terminal input is parsed correctly regardless of how it is split",
    arguments: KeySample.all)
  func samples(sample: KeySample) {
    let bytes = Array(sample.bytes.utf8)
    #expect(read([bytes]) == sample.inputs)
    #expect(read(bytes.map { [$0] }) == sample.inputs)
    for split in bytes.indices {
      #expect(read([Array(bytes[..<split]), Array(bytes[split...])]) == sample.inputs)
    }
  }

  @Test("An incomplete sequence is pending until the parser is flushed")
  func pending() {
    var parser = KeyParser()
    #expect(parser.feed([0x1B]) == [])
    #expect(parser.isPending)
    #expect(parser.flush() == [.key(KeyPress(.escape))])
    #expect(!parser.isPending)
    #expect(parser.flush() == [])
    #expect(parser.feed("\u{1B}[1;".utf8) == [])
    #expect(parser.isPending)
    #expect(parser.flush() == [])
    #expect(parser.feed([0xE6, 0x97]) == [])
    #expect(parser.flush() == [])
    #expect(parser.feed("a".utf8) == [.key(KeyPress("a"))])
  }

  @Test("An introducer without a sequence is parsed as a key with Alt")
  func altOfIntroducers() {
    for introducer in "[O]P_^X" {
      var parser = KeyParser()
      #expect(parser.feed("\u{1B}\(introducer)".utf8) == [])
      #expect(parser.flush() == [.key(KeyPress(introducer, .alt))])
    }
  }

  @Test("Invalid UTF-8 is dropped")
  func invalidText() {
    let x = [TerminalInput.key(KeyPress("x"))]
    for bytes: [UInt8] in [
      [0x80], [0xFF], [0xC0, 0xAF], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9F, 0x98], [0xC2, 0x9B],
    ] {
      #expect(read([bytes + [0x78]]) == x, "\(bytes)")
    }
  }

  @Test("A paste is one input and limited to one mebibyte")
  func longPaste() {
    var parser = KeyParser()
    var inputs = parser.feed("\u{1B}[200~".utf8)
    for _ in 0..<300 { inputs += parser.feed([UInt8](repeating: 0x61, count: 4096)) }
    #expect(inputs == [])
    inputs = parser.feed("\u{1B}[201~q".utf8)
    #expect(
      inputs == [
        .paste(String(repeating: "a", count: PastedText.maxBytes)), .key(KeyPress("q")),
      ])
  }

  @Test("A paste continues after a pause, but ends after several ones")
  func pausedPaste() {
    var parser = KeyParser()
    #expect(parser.feed("\u{1B}[200~rm".utf8) == [])
    for _ in 1..<PastedText.maxPauses { #expect(parser.flush() == []) }
    #expect(parser.feed("x".utf8) == [])
    for _ in 1..<PastedText.maxPauses { #expect(parser.flush() == []) }
    #expect(parser.isPending)
    #expect(parser.flush() == [.paste("rmx")])
    #expect(!parser.isPending)
    #expect(parser.feed("\u{1B}[201~a".utf8) == [.key(KeyPress("a"))])
  }

  @Test("Sequences that are too long are dropped")
  func longSequences() {
    let digits = String(repeating: "1", count: 300)
    #expect(read([Array("\u{1B}[\(digits)Aq".utf8)]) == [.key(KeyPress("q"))])
    let text = String(repeating: "q", count: 5000)
    #expect(read([Array("\u{1B}]52;c;\(text)\u{7}q".utf8)]) == [.key(KeyPress("q"))])
    let zeros = String(repeating: "0", count: 200)
    #expect(read([Array("\u{1B}[\(zeros)5~".utf8)]) == [.key(KeyPress(.pageUp))])
  }

  @Test("The parser recovers from a hundred thousand random inputs")
  func garbage() {
    let pieces = [
      "\u{1B}", "[", "O", "\u{1B}[", "\u{1B}]", "\u{1B}P", "200~", "201~", "~", "u", "M", "<", ";",
      ":", "1", "99999999999999999999", "$", "m", "é", "日", "\u{7}", "\u{1B}\\", "57344",
    ].map { Array($0.utf8) }
    var random = FixedNumbers(seed: 1)
    var parser = KeyParser()
    for _ in 0..<100_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<12, using: &random) {
        if Bool.random(using: &random) {
          bytes.append(.random(in: .min ... .max, using: &random))
        } else {
          bytes += pieces.randomElement(using: &random) ?? []
        }
      }
      _ = parser.feed(bytes)
      for _ in 0..<PastedText.maxPauses where parser.isPending { _ = parser.flush() }
      #expect(!parser.isPending, "\(bytes)")
      #expect(parser.feed([0x6A]) == [.key(KeyPress("j"))], "\(bytes)")
    }
  }

  private func read(_ pieces: [[UInt8]]) -> [TerminalInput] {
    var parser = KeyParser()
    return pieces.flatMap { parser.feed($0) } + parser.flush()
  }
}
