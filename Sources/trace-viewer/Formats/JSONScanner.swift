import TerminalUI

/// Goes over a text byte by byte and knows the line and the column at each of them.
struct JSONScanner {
  let bytes: [UInt8]
  private(set) var index = 0
  private(set) var place = TextPlace(line: 1, column: 1)

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A byte-order mark is not a part of the text.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  /// The next byte; 0 at the end, and for a NUL, which JSON has nowhere.
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
      // Behind the last byte of a character.
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

  /// The letters, digits and signs from here on, for a word that is not understood.
  mutating func word() -> String {
    let start = index
    while let scalar = character,
      scalar.properties.isAlphabetic || "0123456789+-._$".unicodeScalars.contains(scalar)
    {
      for _ in 0..<UTF8.width(scalar) { advance() }
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// The next character; `nil` at the end.
  var character: Unicode.Scalar? {
    guard index < bytes.count else { return nil }
    return String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self)
      .unicodeScalars.first
  }

  /// What stands here, for a message. Only the marks of JSON are quoted: the file may be any, and hold secrets.
  var found: String {
    switch character {
    case nil: "the end of the text"
    case "\n", "\r": "the end of the line"
    case let mark? where "{}[],:\"".unicodeScalars.contains(mark): "'\(mark)'"
    default: "another character"
    }
  }
}
