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
