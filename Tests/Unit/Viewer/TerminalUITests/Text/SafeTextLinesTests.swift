import Testing

@testable import TerminalUI

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
