import TerminalUI

/// A prompt for a line of text.
struct Prompt: Equatable, Sendable {
  enum Purpose: Equatable, Sendable {
    case search, filter
    /// Exports the subscriptions that the text describes. The text is part of the title.
    case export(String)
  }

  let purpose: Purpose
  private(set) var text: String
  /// The index of the character before which the next one is inserted.
  private(set) var cursor: Int
  /// The problem with the entered text.
  var problem: String?
  /// The path of an existing file that may be overwritten.
  var existing: String?

  init(_ purpose: Purpose, text: String = "") {
    self.purpose = purpose
    self.text = text
    cursor = text.count
  }

  /// The maximum number of characters. Longer text is cut; nobody types that much.
  private static let longest = 1000

  /// The title before the text.
  var title: String {
    switch purpose {
    case .search: "/"
    case .filter: "&"
    case .export(let what): "Export \(what) to: "
    }
  }

  mutating func insert(_ addition: String) {
    // Line ends in pasted text become spaces, because a prompt has one line.
    let clean = addition.map { $0.isNewline || $0 == "\t" ? " " : $0 }
      .filter { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } }
    let room = max(0, Prompt.longest - text.count)
    let piece = String(clean.prefix(room))
    let before = text[..<index] + piece
    text = String(before + text[index...])
    cursor = min(text.count, before.count)
    problem = nil
  }

  /// Applies an editing key, or returns false for any other key.
  mutating func edit(_ press: KeyPress) -> Bool {
    switch (press.key, press.modifiers) {
    case (.character(let character), []): insert(String(character))
    case (.backspace, _): if cursor > 0 { removeBefore(1) }
    case (.delete, _), (.character("d"), .control):
      if cursor < text.count { move(1); removeBefore(1) }
    case (.left, []), (.character("b"), .control): move(-1)
    case (.right, []), (.character("f"), .control): move(1)
    case (.home, _), (.character("a"), .control): cursor = 0
    case (.end, _), (.character("e"), .control): cursor = text.count
    case (.character("u"), .control): removeBefore(cursor)
    case (.character("k"), .control): text.removeLast(text.count - cursor)
    case (.character("w"), .control): removeBefore(wordBefore)
    default: return false
    }
    problem = nil
    return true
  }

  private var index: String.Index { text.index(text.startIndex, offsetBy: min(cursor, text.count)) }

  private mutating func move(_ distance: Int) {
    cursor = min(max(0, cursor + distance), text.count)
  }

  private mutating func removeBefore(_ count: Int) {
    let count = min(count, cursor)
    let end = index
    text.removeSubrange(text.index(end, offsetBy: -count)..<end)
    cursor -= count
  }

  /// The number of characters in the word before the cursor, including the spaces after it.
  private var wordBefore: Int {
    let before = Array(text.prefix(cursor).reversed())
    let spaces = before.prefix { $0 == " " }.count
    return spaces + before.dropFirst(spaces).prefix { $0 != " " }.count
  }
}
