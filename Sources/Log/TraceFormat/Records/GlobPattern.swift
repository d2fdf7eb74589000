/// A pattern that matches an entire string, usually the name of a lane. `*` matches any text, `?`
/// matches one character (a Unicode scalar), and everything else matches itself.
package struct GlobPattern: Sendable, Hashable, CustomStringConvertible {
  package let text: String
  private let bytes: [UInt8]

  package init(_ text: some StringProtocol) {
    self.text = String(text)
    bytes = Array(text.utf8)
  }

  package var description: String { text }

  // Two spellings of one accented letter are different lane names, as they are in a log.
  package static func == (left: GlobPattern, right: GlobPattern) -> Bool {
    left.bytes == right.bytes
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(bytes)
  }

  package func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { matches($0) }
  }

  /// Reports whether the pattern matches the text.
  ///
  /// The search goes back to the last star at each mismatch. The time is at most the product of
  /// both lengths, and about their sum for typical patterns.
  package func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var (patternIndex, position) = (0, 0)
    var star: (patternIndex: Int, position: Int)?
    while position < text.count {
      let letter = patternIndex < bytes.count ? bytes[patternIndex] : nil
      if letter == UInt8(ascii: "*") {
        star = (patternIndex, position)
        patternIndex += 1
      } else if letter == UInt8(ascii: "?") {
        patternIndex += 1
        position = Self.endOfCharacter(text, position)
      } else if letter == text[position] {
        patternIndex += 1
        position += 1
      } else if let last = star {
        // The search continues at the next character, not the next byte: a `?` after the star must
        // not match the rest of a character.
        let next = Self.endOfCharacter(text, last.position)
        star?.position = next
        patternIndex = last.patternIndex + 1
        position = next
      } else {
        return false
      }
    }
    return bytes[patternIndex...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  /// Returns the offset after the Unicode scalar that begins at `position`.
  private static func endOfCharacter(_ text: UnsafeBufferPointer<UInt8>, _ position: Int) -> Int {
    var end = position + 1
    while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
