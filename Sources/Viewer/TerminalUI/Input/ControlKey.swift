/// Keys that terminals send as `ESC [`, optional numbers, and a letter or a tilde.
enum ControlKey {
  static func press(_ fields: [SequenceField], _ final: UInt8) -> KeyPress? {
    // In the kitty protocol, the number after the colon indicates whether the key is released.
    if fields.count > 1, fields[1].parts.first == 3 { return nil }
    let modifiers = KeyPress.Modifiers(parameter: fields.count > 1 ? fields[1].value : 1)
    switch final {
    case UInt8(ascii: "~"):
      if fields.first?.value == 27, fields.count == 3 {
        return KeyPress(code: fields[2].value, modifiers)
      }
      return numbered(fields, modifiers)
    // rxvt has three final characters.
    case UInt8(ascii: "^"): return numbered(fields, .control)
    case UInt8(ascii: "$"): return numbered(fields, .shift)
    case UInt8(ascii: "@"): return numbered(fields, [.control, .shift])
    case UInt8(ascii: "a")...UInt8(ascii: "d"):
      return fields.isEmpty ? lettered(final - 0x20).map { KeyPress($0, .shift) } : nil
    case UInt8(ascii: "Z"):
      return KeyPress(.tab, modifiers.union(.shift))
    case UInt8(ascii: "R"):
      // A report of the cursor position has this form too. It only looks like a key in the first
      // row.
      let isKey = fields.count < 2 || (fields[0].value == 1 && (2...16).contains(fields[1].value))
      return isKey ? KeyPress(.function(3), modifiers) : nil
    default:
      return lettered(final).map { KeyPress($0, modifiers) }
    }
  }

  /// Returns the key for a letter after `ESC [` or `ESC O`.
  static func lettered(_ final: UInt8) -> KeyPress.Key? {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(final) - 0x4F)
    default: nil
    }
  }

  private static func numbered(
    _ fields: [SequenceField], _ modifiers: KeyPress.Modifiers
  ) -> KeyPress? {
    let key: KeyPress.Key? =
      switch fields.first?.value ?? 0 {
      case 1, 7: .home
      case 2: .insert
      case 3: .delete
      case 4, 8: .end
      case 5: .pageUp
      case 6: .pageDown
      case let number where (11...15).contains(number): .function(number - 10)
      case let number where (17...21).contains(number): .function(number - 11)
      case let number where (23...26).contains(number): .function(number - 12)
      case let number where (28...29).contains(number): .function(number - 13)
      case let number where (31...34).contains(number): .function(number - 14)
      default: nil
      }
    return key.map { KeyPress($0, modifiers) }
  }
}

/// Keys that terminals send as `ESC O` and a letter: the keypad, and in some modes arrows and
/// function keys.
enum KeypadKey {
  static func press(_ fields: [SequenceField], _ final: UInt8) -> KeyPress? {
    // Old terminals write only the modifiers, and newer ones write them after a 1.
    let modifiers = KeyPress.Modifiers(parameter: fields.last?.value ?? 1)
    if let key = ControlKey.lettered(final) { return KeyPress(key, modifiers) }
    switch final {
    case UInt8(ascii: "a")...UInt8(ascii: "d"):
      return ControlKey.lettered(final - 0x20).map { KeyPress($0, .control) }
    case UInt8(ascii: "M"): return KeyPress(.enter, modifiers)
    case UInt8(ascii: "I"): return KeyPress(.tab, modifiers)
    case UInt8(ascii: "X"): return KeyPress("=", modifiers.subtracting(.shift))
    // Each byte is the character that the key types, with one more bit set.
    case UInt8(ascii: "j")...UInt8(ascii: "y"):
      return KeyPress(code: Int(final) - 0x40, modifiers)
    default: return nil
    }
  }
}
