package import TraceFormat

/// A string to search for. Lowercase letters also match capital letters, unless the text contains a
/// capital letter.
package struct SearchText: Equatable, Sendable {
  package let text: String
  let isSensitive: Bool
  /// The bytes to compare.
  private let bytes: [UInt8]
  private let isASCII: Bool

  package init(_ text: String) {
    self.text = text
    isSensitive = text.contains(where: \.isUppercase)
    let folded = isSensitive ? text : text.lowercased()
    bytes = Array(folded.utf8)
    isASCII = bytes.allSatisfy { $0 < 0x80 }
  }

  package func isIn(_ text: String) -> Bool {
    var text = text
    let found = text.withUTF8 { isIn($0) }
    // Capital letters beyond ASCII have other bytes, and sometimes more of them.
    if found || isSensitive || isASCII { return found }
    var folded = text.lowercased()
    return folded.withUTF8 { isIn($0) }
  }

  /// Reports whether the search text is in the text of a record, which usually needs no unescaping.
  package func isIn(_ text: RawText) -> Bool {
    let bytes = UnsafeBufferPointer(start: text.start, count: text.count)
    if !text.isEscaped, bytes.allSatisfy({ $0 < 0x80 }) { return isIn(bytes) }
    return isIn(text.string)
  }

  /// Reports whether the bytes of a string contain the search text. `isSensitive` applies to ASCII
  /// letters.
  private func isIn(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = bytes.first else { return true }
    guard text.count >= bytes.count else { return false }
    let last = text.count - bytes.count
    var start = 0
    while start <= last {
      if fold(text[start]) == first, matches(text, at: start) { return true }
      start += 1
    }
    return false
  }

  @inline(__always)
  private func fold(_ byte: UInt8) -> UInt8 {
    !isSensitive && byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  private func matches(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    for index in bytes.indices.dropFirst() where fold(text[start + index]) != bytes[index] {
      return false
    }
    return true
  }
}
