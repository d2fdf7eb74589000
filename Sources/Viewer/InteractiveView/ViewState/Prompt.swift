import TerminalUI
import TraceAnalysis
import TraceFormat

/// A prompt for a line of text.
struct Prompt: Equatable, Sendable {
  enum Purpose: Equatable, Sendable {
    case command, search, filter
    /// A note for a time, with the name of the time.
    case note(Nanoseconds, String)
    /// Exports some subscriptions, or all that the filter shows. The text, which describes them, is
    /// part of the title.
    case export(String, MemberList?)

    /// A Boolean value that indicates whether the text is a query.
    var isQuery: Bool { self == .search || self == .filter }

    /// The kind, which has a history of its own.
    var kind: Kind {
      switch self {
      case .command: .command
      case .search: .search
      case .filter: .filter
      case .export: .export
      case .note: .note
      }
    }
  }

  enum Kind: Hashable, Sendable {
    case command, search, filter, export, note
  }

  let purpose: Purpose
  private(set) var text: String
  /// The index of the character before which the next one is inserted.
  private(set) var cursor: Int
  /// The problem with the entered text.
  var problem: String?
  /// The path of an existing file that may be overwritten.
  var existing: String?
  /// The lines of the list above the prompt: what Enter may do, or how Tab may complete the text.
  var choices = ChoiceList()
  /// The completion that Tab has started, until another key is typed.
  private var completion: Completion?
  /// The earlier entry that is shown, counted from the latest one, and the text that was typed
  /// before it.
  private var recalled: Recalled?

  private struct Recalled: Equatable {
    let age: Int
    let typed: String
  }

  init(_ purpose: Purpose, text: String = "") {
    self.purpose = purpose
    self.text = text
    cursor = text.count
  }

  /// The maximum number of characters. Longer text is cut; nobody types that much.
  static let longest = 1000

  /// The title before the text.
  var title: String {
    switch purpose {
    case .command: ":"
    case .search: "/"
    case .filter: "&"
    case .note(_, let time): "Note at \(time): "
    case .export(let what, _): "Export \(what) to: "
    }
  }

  mutating func insert(_ addition: String) {
    forgetOffers()
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
    forgetOffers()
    problem = nil
    return true
  }

  private mutating func forgetOffers() {
    choices = ChoiceList()
    completion = nil
    recalled = nil
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

// MARK: Earlier entries

extension Prompt {
  /// Shows an older or a newer entry. After the newest one comes what was typed before.
  ///
  /// - Parameter entries: The earlier entries, with the latest one last.
  mutating func recall(older: Bool, _ entries: [String]) {
    let age = (recalled?.age ?? -1) + (older ? 1 : -1)
    let typed = recalled?.typed ?? text
    guard age < entries.count, age >= -1 else { return }
    replace(with: age < 0 ? typed : entries[entries.count - 1 - age])
    recalled = age < 0 ? nil : Recalled(age: age, typed: typed)
  }

  private mutating func replace(with text: String) {
    forgetOffers()
    self.text = text
    cursor = text.count
    problem = nil
  }
}

/// The texts that were entered into prompts.
struct PromptHistory: Sendable {
  private var entries: [Prompt.Kind: [String]] = [:]

  /// The maximum number of entries of a kind.
  private static let maxCount = 100

  /// Returns the entries of a kind, with the latest one last.
  subscript(kind: Prompt.Kind) -> [String] { entries[kind] ?? [] }

  /// Adds an entry. An entry that is already in the list moves to its end.
  mutating func add(_ text: String, _ kind: Prompt.Kind) {
    guard !text.isEmpty else { return }
    entries[kind, default: []].removeAll { $0 == text }
    entries[kind, default: []].append(text)
    if self[kind].count > Self.maxCount { entries[kind]?.removeFirst() }
  }
}

// MARK: Completion

extension Prompt {
  /// The ways to complete a part of the text, which take turns.
  struct Completion: Equatable, Sendable {
    /// The offset of the first character that is replaced.
    let start: Int
    let candidates: [String]
  }

  /// The text before the cursor, which Tab completes.
  var beforeCursor: String { String(text.prefix(cursor)) }

  /// Replaces a part of the text by the first candidate, or by the next one if a completion has
  /// started. Returns false if there is nothing to complete.
  ///
  /// - Parameter find: Returns how to complete the text before the cursor.
  mutating func complete(backward: Bool, _ find: (_ before: String) -> Completion) -> Bool {
    let old = completion
    let new = old ?? find(beforeCursor)
    guard !new.candidates.isEmpty else { return false }
    let count = new.candidates.count
    let next =
      old == nil
      ? (backward ? count - 1 : 0) : (choices.chosen + (backward ? count - 1 : 1)) % count
    let candidate = new.candidates[next]
    let rest = text.dropFirst(cursor)
    replace(with: text.prefix(new.start) + candidate + rest)
    cursor = new.start + candidate.count
    guard count > 1 else { return true }
    completion = new
    choices = ChoiceList(new.candidates.map { PromptChoice(title: $0) })
    choices.choose(next)
    return true
  }

  /// Replaces the text by the chosen line of the list.
  mutating func take(_ choice: PromptChoice) { replace(with: choice.title) }
}

/// A line of the list above a prompt.
struct PromptChoice: Equatable, Sendable {
  enum Action: Equatable, Sendable {
    case command(ViewerCommand)
    case pane(PaneID)
    /// Goes to a subscription, by its index in the lifecycles.
    case subscription(Int)
    /// Goes to a lane, by its first subscription.
    case lane(Int)
    case finding(FindingID)
    case time(Nanoseconds)
  }

  let title: String
  /// What is known about it, such as the key of a command.
  var note = ""
  /// What Enter does, or `nil` if the line only completes the text.
  var action: Action?
}

/// The list above a prompt, one line of which is chosen.
struct ChoiceList: Equatable, Sendable {
  let all: [PromptChoice]
  private(set) var chosen = 0

  /// The maximum number of lines that are shown at once.
  static let maxRows = 8

  init(_ all: [PromptChoice] = []) {
    self.all = all
  }

  var selected: PromptChoice? { all.indices.contains(chosen) ? all[chosen] : nil }

  mutating func choose(_ index: Int) { chosen = max(0, min(index, all.count - 1)) }

  /// Returns the indices of the lines to show in a number of rows.
  func shown(rows: Int) -> Range<Int> {
    let count = min(all.count, max(0, rows))
    let first = max(0, min(chosen - count / 2, all.count - count))
    return first..<first + count
  }
}
