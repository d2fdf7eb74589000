/// Keys in the protocol of the kitty terminal: `ESC [ code ; modifiers ; text u`. Some terminals
/// use it without being asked.
enum KittyKey {
  static func inputs(_ fields: [SequenceField]) -> [TerminalInput] {
    guard let code = fields.first else { return [] }
    let field = fields.count > 1 ? fields[1] : SequenceField(value: 1)
    // The key is released.
    if field.parts.first == 3 { return [] }
    let modifiers = KeyPress.Modifiers(parameter: field.value)
    if let key = functional(code.value) { return [.key(KeyPress(key, modifiers))] }
    let isPlain = modifiers.subtracting(.shift).isEmpty
    if isPlain, fields.count > 2, fields[2].value >= 0x20 {
      let typed = [fields[2].value] + fields[2].parts
      return typed.compactMap { KeyPress(code: $0).map(TerminalInput.key) }
    }
    // Keys that type nothing, such as volume keys and the modifiers themselves, have numbers for
    // private use.
    if (57344...63743).contains(code.value) {
      return keypad(code.value).map { [.key(KeyPress($0, modifiers.subtracting(.shift)))] } ?? []
    }
    let typed = modifiers.contains(.shift) ? shifted(code) : code.value
    return KeyPress(code: typed, modifiers).map { [.key($0)] } ?? []
  }

  /// Returns the code of the character that a key types with shift. Either the terminal reports it,
  /// or the key is a letter.
  private static func shifted(_ code: SequenceField) -> Int {
    if let said = code.parts.first, said > 0 { return said }
    let isSmall = (0x61...0x7A).contains(code.value)
    return isSmall ? code.value - 0x20 : code.value
  }

  private static func functional(_ code: Int) -> KeyPress.Key? {
    switch code {
    case 57344: .escape
    case 57345, 57414: .enter
    case 57346: .tab
    case 57347: .backspace
    case 57348, 57425: .insert
    case 57349, 57426: .delete
    case 57350, 57417: .left
    case 57351, 57418: .right
    case 57352, 57419: .up
    case 57353, 57420: .down
    case 57354, 57421: .pageUp
    case 57355, 57422: .pageDown
    case 57356, 57423: .home
    case 57357, 57424: .end
    case 57364...57398: .function(code - 57363)
    default: nil
    }
  }

  /// Returns the digit or sign of a key on the keypad.
  private static func keypad(_ code: Int) -> Character? {
    let characters = Array("0123456789./*-+")
    switch code {
    case 57399...57413: return characters[code - 57399]
    case 57415: return "="
    case 57416: return ","
    default: return nil
    }
  }
}
