/// A key with the modifiers that were held, as far as the terminal tells.
package struct KeyPress: Hashable, Sendable {
  package enum Key: Hashable, Sendable {
    /// What the key types, shift and all: `?`, not shift and `/`.
    case character(Character)
    case enter, tab, escape, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    /// From 1.
    case function(Int)
  }

  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Not said of characters, which show it themselves.
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
