/// A pattern for a whole text, most often for the name of a lane: `*` stands for any text, `?` for one character (a Unicode
/// scalar), everything else for itself.
package struct GlobPattern: Sendable, Hashable, CustomStringConvertible {
  package let text: String
  private let bytes: [UInt8]

  package init(_ text: some StringProtocol) {
    self.text = String(text)
    bytes = Array(text.utf8)
  }

  package var description: String { text }

  // Two spellings of one accented letter are two names of lanes, as they are in a log.
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

  /// Goes back to the last star where the text does not fit, so the time is at most the product of both lengths, and the sum
  /// of them for what people write.
  package func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var (place, position) = (0, 0)
    var star: (place: Int, position: Int)?
    while position < text.count {
      let letter = place < bytes.count ? bytes[place] : nil
      if letter == UInt8(ascii: "*") {
        star = (place, position)
        place += 1
      } else if letter == UInt8(ascii: "?") {
        place += 1
        position = Self.endOfCharacter(text, position)
      } else if letter == text[position] {
        place += 1
        position += 1
      } else if let last = star {
        // To the next character, not the next byte: a `?` behind the star must not take the rest of one for a whole one.
        let next = Self.endOfCharacter(text, last.position)
        star?.position = next
        place = last.place + 1
        position = next
      } else {
        return false
      }
    }
    return bytes[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  /// Behind the Unicode scalar that begins at `position`.
  private static func endOfCharacter(_ text: UnsafeBufferPointer<UInt8>, _ position: Int) -> Int {
    var end = position + 1
    while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
