/// The first bytes of a character that arrives in pieces.
struct UTF8Piece: Sendable {
  enum Step {
    case more(UTF8Piece)
    case scalar(Unicode.Scalar)
    case invalid
  }

  private var value: UInt32
  private var left: Int
  private let smallest: UInt32

  /// Creates a piece, or returns nil if no character begins with this byte.
  init?(first byte: UInt8) {
    switch byte {
    case 0xC2...0xDF: (value, left, smallest) = (UInt32(byte & 0x1F), 1, 0x80)
    case 0xE0...0xEF: (value, left, smallest) = (UInt32(byte & 0x0F), 2, 0x800)
    case 0xF0...0xF4: (value, left, smallest) = (UInt32(byte & 0x07), 3, 0x10000)
    default: return nil
    }
  }

  /// Returns the result of adding a byte of the form 10xxxxxx.
  func adding(_ byte: UInt8) -> Step {
    var next = self
    next.value = value << 6 | UInt32(byte & 0x3F)
    next.left -= 1
    if next.left > 0 { return .more(next) }
    // Control characters in this form are not keys.
    guard next.value >= max(smallest, 0xA0), let scalar = Unicode.Scalar(next.value) else {
      return .invalid
    }
    return .scalar(scalar)
  }
}
