import SystemLibrary

/// A formatter for words that a user may copy into a shell.
package enum ShellText {
  /// Returns a command line. Each word is quoted if a shell would change it.
  package static func line(_ words: [String]) -> String {
    words.map(quoted).joined(separator: " ")
  }

  /// Returns a word that bash and zsh take as it is. Every shell does, unless the word has control
  /// characters or is not UTF-8.
  package static func quoted(_ word: String) -> String {
    let bytes = RawPath.bytes(word)
    if !bytes.isEmpty, bytes.allSatisfy(isPlain) { return word }
    let isText = String(validating: bytes, as: UTF8.self) != nil
    if isText, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) {
      return "'" + word.replacing("'", with: #"'\''"#) + "'"
    }
    return "$'" + bytes.map { escaped($0) }.joined() + "'"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_-+=:,./@%".utf8.contains(byte)
    }
  }

  private static func escaped(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\\"): return "\\" + String(UnicodeScalar(byte))
    case 0x20..<0x7F: return String(UnicodeScalar(byte))
    default:
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
    }
  }
}
