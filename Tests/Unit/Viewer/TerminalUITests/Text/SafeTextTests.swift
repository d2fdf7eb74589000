import Testing

@testable import TerminalUI

@Suite("SafeText")
struct SafeTextTests {
  @Test(
    "Unsafe characters are replaced by visible text",
    arguments: [
      ("plain", "plain"),
      ("\u{1B}[31mred\u{7F}\u{0}", "^[[31mred^?^@"),
      ("\u{9B}31m\u{80}", "\\x9b31m\\x80"),
      ("a\tb\nc\r\nd\re\u{2028}f", "a b⏎c⏎d⏎e⏎f"),
      ("a\u{202E}b\u{2066}c\u{200F}", "a<U+202E>b<U+2066>c<U+200F>"),
      ("a\u{200B}b\u{FEFF}c\u{AD}d", "a<U+200B>b<U+FEFF>c<U+00AD>d"),
      ("\u{301}a", "<U+0301>a"),
      ("a\u{200D}b", "a<U+200D>b"),
      ("日本語 é 👩‍👧 🇩🇪", "日本語 é 👩‍👧 🇩🇪"),
      ("::error::x", "<U+003A>:error::x"),
      ("  ##[error]x", "<U+0023>#[error]x"),
      ("said ##[add-mask]x", "said <U+0023>#[add-mask]x"),
      ("a ##vso[task.x] b ###[c]", "a <U+0023>#vso[task.x] b #<U+0023>#[c]"),
      ("a ## b #[c] ##d :: e", "a ## b #[c] ##d :: e"),
    ])
  func safe(text: String, expected: String) {
    #expect(SafeText.make(text) == expected)
  }

  @Test("A character keeps at most eight combining marks")
  func marks() {
    let text = "e" + String(repeating: "\u{301}", count: 100)
    #expect(SafeText.make(text).unicodeScalars.count == 9)
  }

  @Test("ASCII output replaces other characters by their code points")
  func ascii() {
    #expect(SafeText.make("é\n日", ascii: true) == "<U+00E9>\\n<U+65E5>")
  }

  @Test("Safe text doesn't contain control or format characters")
  func everyScalar() {
    for value in (0..<0x3000).lazy.map(UInt32.init) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let safe = SafeText.make("a" + String(scalar))
      #expect(
        safe.unicodeScalars.allSatisfy {
          $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
        }, "\(value)")
    }
  }
}

@Suite("Multiline SafeText")
struct SafeTextLinesTests {
  @Test(
    "makeLines makes every line of its text safe",
    arguments: [
      ("", ""), ("a\u{1B}", "a^["), ("a\r\nb\rc\n\nd", "a\nb\nc\n\nd"), ("\n", "\n"),
      ("x\n::error::y\n  ##[z]", "x\n<U+003A>:error::y\n<U+0023>#[z]"),
      ("a\n\u{301}b\u{2028}c", "a\n<U+0301>b⏎c"),
    ])
  func lines(text: String, expected: String) {
    #expect(SafeText.makeLines(text) == expected)
  }
}
