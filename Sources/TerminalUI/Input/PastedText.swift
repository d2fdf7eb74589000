/// Text between the two marks that a terminal puts around a paste.
struct PastedText: Sendable {
  /// What is longer is cut: no field takes as much.
  static let mostBytes = 1 << 20
  /// Calls of `flush()` without a byte in between, about two seconds, after which the closing mark is not waited for.
  static let mostPauses = 64

  private static let end = Array("\u{1B}[201~".utf8)

  private var bytes: [UInt8] = []
  /// How much of the closing mark came last.
  private var matched = 0
  private var pauses = 0

  var text: String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// Adds a byte, and says whether it was the last of the closing mark.
  mutating func append(_ byte: UInt8) -> Bool {
    pauses = 0
    if byte == Self.end[matched] {
      matched += 1
      return matched == Self.end.count
    }
    // Only the first byte of the mark is an escape, so that a mark begins nowhere within what matched.
    for kept in Self.end[..<matched] { keep(kept) }
    matched = byte == Self.end[0] ? 1 : 0
    if matched == 0 { keep(byte) }
    return false
  }

  private mutating func keep(_ byte: UInt8) {
    if bytes.count < Self.mostBytes { bytes.append(byte) }
  }

  /// Whether to wait on.
  mutating func pause() -> Bool {
    pauses += 1
    return pauses < Self.mostPauses
  }
}
