/// The text between the two marks that a terminal puts around a paste.
struct PastedText: Sendable {
  /// The maximum number of bytes. Longer text is cut, because no field takes as much.
  static let mostBytes = 1 << 20
  /// The number of calls of `flush()` without a byte in between, about two seconds, after which the
  /// parser stops waiting for the closing mark.
  static let mostPauses = 64

  private static let end = Array("\u{1B}[201~".utf8)

  private var bytes: [UInt8] = []
  /// The number of bytes of the closing mark that came last.
  private var matched = 0
  private var pauses = 0

  var text: String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// Adds a byte. Returns true if it was the last byte of the closing mark.
  mutating func append(_ byte: UInt8) -> Bool {
    pauses = 0
    if byte == Self.end[matched] {
      matched += 1
      return matched == Self.end.count
    }
    // Only the first byte of the mark is an escape, so no mark begins within the matched bytes.
    for kept in Self.end[..<matched] { keep(kept) }
    matched = byte == Self.end[0] ? 1 : 0
    if matched == 0 { keep(byte) }
    return false
  }

  private mutating func keep(_ byte: UInt8) {
    if bytes.count < Self.mostBytes { bytes.append(byte) }
  }

  /// Counts a pause. Returns true if the parser should keep waiting.
  mutating func pause() -> Bool {
    pauses += 1
    return pauses < Self.mostPauses
  }
}
