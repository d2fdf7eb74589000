/// A key with the modifiers that were held, as far as the terminal reports them.
package struct KeyPress: Hashable, Sendable {
  package enum Key: Hashable, Sendable {
    /// The character that the key types, with shift applied: `?`, not shift and `/`.
    case character(Character)
    case enter, tab, escape, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    /// A function key, numbered from 1.
    case function(Int)
  }

  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The shift key. It is not set for characters, because they already show it.
    package static let shift = Modifiers(rawValue: 1)
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
  }

  package var key: Key
  package var modifiers: Modifiers = []

  package init(_ key: Key, _ modifiers: Modifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }

  package init(_ character: Character, _ modifiers: Modifiers = []) {
    self.init(.character(character), modifiers)
  }

  package static func control(_ character: Character) -> KeyPress {
    KeyPress(character, .control)
  }
}

extension KeyPress {
  /// Creates the key that sends a single byte below 0x80.
  package init(byte: UInt8) {
    switch byte {
    case 0x00: self.init(" ", .control)
    case 0x08, 0x7F: self.init(.backspace)
    case 0x09: self.init(.tab)
    case 0x0A, 0x0D: self.init(.enter)
    case 0x1B: self.init(.escape)
    case 0x01...0x1A: self.init(Character(Unicode.Scalar(byte | 0x60)), .control)
    case ..<0x20: self.init(Character(Unicode.Scalar(byte | 0x40)), .control)
    default: self.init(Character(Unicode.Scalar(byte)))
    }
  }

  /// Creates the key that types a character, or the key that has the number of a control character.
  ///
  /// Returns nil for numbers that are not characters.
  package init?(code: Int, _ modifiers: Modifiers = []) {
    switch code {
    case 8, 127: self.init(.backspace, modifiers)
    case 9: self.init(.tab, modifiers)
    case 10, 13: self.init(.enter, modifiers)
    case 27: self.init(.escape, modifiers)
    default:
      guard let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init),
        code >= 0x20, !(0x7F..<0xA0).contains(code)
      else { return nil }
      self.init(Character(scalar), modifiers.subtracting(.shift))
    }
  }
}

extension KeyPress.Modifiers {
  /// Creates the modifiers from the number that terminals write. It is one more than a sum: 1 for
  /// shift, 2 for alt, 4 for control, 32 for meta.
  package init(parameter: Int) {
    let bits = max(parameter, 1) - 1
    self = KeyPress.Modifiers(rawValue: UInt8(bits & 7))
    if bits & 32 != 0 { insert(.alt) }
  }
}
