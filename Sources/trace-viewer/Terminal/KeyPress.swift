/// A key with the modifiers that were held, as far as the terminal tells.
struct KeyPress: Hashable, Sendable {
  enum Key: Hashable, Sendable {
    /// What the key types, shift and all: `?`, not shift and `/`.
    case character(Character)
    case enter, tab, escape, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    /// From 1.
    case function(Int)
  }

  struct Modifiers: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// Not said of characters, which show it themselves.
    static let shift = Modifiers(rawValue: 1)
    static let alt = Modifiers(rawValue: 2)
    static let control = Modifiers(rawValue: 4)
  }

  var key: Key
  var modifiers: Modifiers = []

  init(_ key: Key, _ modifiers: Modifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }

  init(_ character: Character, _ modifiers: Modifiers = []) {
    self.init(.character(character), modifiers)
  }

  static func control(_ character: Character) -> KeyPress {
    KeyPress(character, .control)
  }
}
