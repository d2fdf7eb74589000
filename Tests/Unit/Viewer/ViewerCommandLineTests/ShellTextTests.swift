import SystemLibrary
import TestSupport
import Testing

@testable import ViewerCommandLine

@Suite("ShellText")
struct ShellTextTests {
  @Test(
    "A word is quoted only if a shell would change it",
    arguments: [
      ("swift", "swift"), ("--parallel", "--parallel"), ("a/b.c=1:2,@%+_", "a/b.c=1:2,@%+_"),
      ("", "''"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("$HOME", "'$HOME'"),
      ("~", "'~'"), ("*", "'*'"), ("ü", "'ü'"), (#"a\b"#, #"'a\b'"#),
      ("a\nb", #"$'a\012b'"#), ("'\t\\", #"$'\'\011\\'"#),
    ])
  func quotes(word: String, quoted: String) {
    #expect(ShellText.quoted(word) == quoted)
  }

  @Test(
    "Quoted words are unchanged by a shell",
    .ownThread)
  func shell() throws {
    let words = [
      "", " ", "a b", "it's", "$(exit 1)", "`x`", "!", "a\nb\t", "\u{1}\u{7F}", "-n", "ü漢",
      RawPath.make([0x61, 0xE9, 0x27, 0x5C, 0x0A]), "#x", "{a,b}", "a;b&c|d>e<f",
    ]
    let script = "printf '%s\\0' \(ShellText.line(words))"
    let output = try ChildProcess("/bin/bash", ["-c", script]).finish().output
    let expected: [UInt8] = words.flatMap { (word: String) -> [UInt8] in RawPath.bytes(word) + [0] }
    #expect(output == expected)
  }
}
