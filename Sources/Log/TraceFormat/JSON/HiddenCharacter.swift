/// The characters that a terminal interprets, that break lines, that change the direction of text
/// or that are invisible.
enum HiddenCharacter {
  /// Reports whether a character is hidden. Characters that only look odd, such as accents without
  /// a letter, are not hidden.
  static func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x061C, 0x180E: true
    case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F: true
    case 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
    default: false
    }
  }

  /// Reports whether the UTF-8 encoding of a non-ASCII hidden character may begin with this byte.
  @inline(__always)
  static func mayBegin(with byte: UInt8) -> Bool {
    switch byte {
    case 0xC2, 0xD8, 0xE1, 0xE2, 0xEF, 0xF3: true
    default: false
    }
  }
}
