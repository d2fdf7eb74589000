import TerminalUI

/// A scanner that reads a text byte by byte and tracks line and column.
struct JSONScanner {
  let bytes: [UInt8]
  private(set) var index = 0
  private(set) var place = TextPlace(line: 1, column: 1)

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A byte-order mark is not a part of the text.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  /// The next byte, or 0 at the end. It is also 0 for a NUL, which JSON never allows.
  var next: UInt8 {
    index < bytes.count ? bytes[index] : 0
  }

  var isAtEnd: Bool {
    index >= bytes.count
  }

  mutating func advance() {
    guard index < bytes.count else { return }
    let byte = bytes[index]
    index += 1
    let endsLine =
      byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\r") && next != UInt8(ascii: "\n"))
    if endsLine {
      place = TextPlace(line: place.line + 1, column: 1)
    } else if next & 0xC0 != 0x80 {
      // The previous byte was the last one of a character.
      place.column += 1
    }
  }

  mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte, !isAtEnd else { return false }
    advance()
    return true
  }

  mutating func skipSpace() {
    while next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { advance() }
  }

  /// Reads the letters, digits and signs at the current position, for a message about an unknown
  /// word.
  mutating func word() -> String {
    let start = index
    while let scalar = character,
      scalar.properties.isAlphabetic || "0123456789+-._$".unicodeScalars.contains(scalar)
    {
      for _ in 0..<UTF8.width(scalar) { advance() }
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// The next character, or `nil` at the end.
  var character: Unicode.Scalar? {
    guard index < bytes.count else { return nil }
    return String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self)
      .unicodeScalars.first
  }

  /// A description of the next character for a message. Only the punctuation of JSON is quoted,
  /// because the file may be any file and contain secrets.
  var found: String {
    switch character {
    case nil: "the end of the text"
    case "\n", "\r": "the end of the line"
    case let mark? where "{}[],:\"".unicodeScalars.contains(mark): "'\(mark)'"
    default: "another character"
    }
  }
}
