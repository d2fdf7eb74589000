/// Text that a person types to find a longer one: a part of it, beginnings of its words, or some of
/// its letters in order.
struct FuzzyQuery {
  /// How well a text matches, with the best first.
  enum Rank: Int, CaseIterable {
    case whole, beginning
    /// Each word of the query is the beginning of a word.
    case wordBeginnings
    /// Each word of the query is somewhere in the text.
    case parts
    /// The letters of the query are in the text in order, and the first one begins a word.
    case letters
  }

  private let bytes: [UInt8]
  private let words: [[UInt8]]
  private let letters: [UInt8]

  init(_ text: String) {
    bytes = Array(text.lowercased().utf8)
    words = bytes.split(separator: UInt8(ascii: " ")).map(Array.init)
    letters = bytes.filter { $0 != UInt8(ascii: " ") }
  }

  /// Returns how well a text matches, or `nil` if it does not match.
  ///
  /// - Parameters:
  ///   - text: The bytes of the text in lowercase.
  ///   - beginningOnly: True to compare only the beginning, which is faster.
  func rank(of text: [UInt8], beginningOnly: Bool = false) -> Rank? {
    if text.starts(with: bytes) { return text.count == bytes.count ? .whole : .beginning }
    guard !beginningOnly else { return nil }
    if words.allSatisfy({ Self.contains($0, in: text, atWord: true) }) { return .wordBeginnings }
    if words.allSatisfy({ Self.contains($0, in: text, atWord: false) }) { return .parts }
    return hasLetters(text) ? .letters : nil
  }

  private func hasLetters(_ text: [UInt8]) -> Bool {
    guard letters.count > 1, let first = letters.first else { return false }
    // The first letter that begins a word leaves the most text for the others.
    guard let start = text.indices.first(where: { text[$0] == first && Self.begins($0, text) })
    else { return false }
    var next = 0
    for byte in text[start...] where byte == letters[next] {
      next += 1
      if next == letters.count { return true }
    }
    return false
  }

  private static func contains(_ word: [UInt8], in text: [UInt8], atWord: Bool) -> Bool {
    guard let first = word.first else { return true }
    guard text.count >= word.count else { return false }
    for start in 0...text.count - word.count where text[start] == first {
      if atWord, !begins(start, text) { continue }
      if (1..<word.count).allSatisfy({ text[start + $0] == word[$0] }) { return true }
    }
    return false
  }

  /// Reports whether a word begins at an index: the byte before it isn't a letter or a digit.
  private static func begins(_ index: Int, _ text: [UInt8]) -> Bool {
    guard index > 0 else { return true }
    switch text[index - 1] {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      return false
    default: return true
    }
  }
}
