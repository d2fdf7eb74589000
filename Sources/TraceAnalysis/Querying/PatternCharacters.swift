import TraceFormat

/// The characters that one position of a pattern matches.
struct PatternCharacters: Sendable {
  enum Kind: Sendable {
    case character(Character)
    /// A range of ASCII characters; both bounds are ASCII.
    case range(ClosedRange<Character>)
    case digit, word, space
    case notDigit, notWord, notSpace
    /// Any character except line ends.
    case any
  }

  private let kinds: [Kind]
  private let isNegated: Bool
  /// A bit for each of the first 64 ASCII characters that matches; `high` has the bits of the
  /// others.
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  init(_ kinds: [Kind], isNegated: Bool = false) {
    self.kinds = kinds
    self.isNegated = isNegated
    for value in UInt8(0)..<0x80 where isMember(Character(UnicodeScalar(value))) {
      if value < 64 { low |= 1 &<< UInt64(value) } else { high |= 1 &<< UInt64(value - 64) }
    }
  }

  init(_ character: Character) {
    self.init([.character(character)])
  }

  /// Reports whether a character matches.
  ///
  /// - Parameter ascii: The ASCII value of the character; nil if it is not ASCII, or is two ASCII
  ///   characters, as CR LF is.
  func contains(_ character: Character, ascii: UInt8?) -> Bool {
    guard let ascii else { return isMember(character) }
    return (ascii < 64 ? low &>> UInt64(ascii) : high &>> UInt64(ascii - 64)) & 1 == 1
  }

  private func isMember(_ character: Character) -> Bool {
    kinds.contains { PatternCharacters.matches($0, character) } != isNegated
  }

  private static func matches(_ kind: Kind, _ character: Character) -> Bool {
    switch kind {
    case .character(let one): character == one
    case .range(let range): isSingle(character) && range.contains(character)
    case .digit: character.isNumber
    case .notDigit: !character.isNumber
    case .word: isWord(character)
    case .notWord: !isWord(character)
    case .space: character.isWhitespace
    case .notSpace: !character.isWhitespace
    case .any: !character.isNewline
    }
  }

  private static func isSingle(_ character: Character) -> Bool {
    character.utf8.count == 1
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }
}
