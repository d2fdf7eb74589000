/// Characters that a terminal obeys, that break lines, change the direction of text or cannot be seen.
package enum HiddenCharacter {
  /// Whether a character is one; of those that only look odd (accents without a letter) none is.
  package static func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x061C, 0x180E: true
    case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F: true
    case 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
    default: false
    }
  }

  /// Whether the UTF-8 of one of them, if it is not ASCII, may begin with this byte.
  @inline(__always)
  package static func mayBegin(with byte: UInt8) -> Bool {
    switch byte {
    case 0xC2, 0xD8, 0xE1, 0xE2, 0xEF, 0xF3: true
    default: false
    }
  }
}
