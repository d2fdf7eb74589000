import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// A filter of the viewer, such as `lane:search.* state:active value:swift thread:main dur>1s`.
///
/// For each kind of word in the filter, a subscription must match at least one word of that kind. A
/// word without a kind is searched for in lanes and sources.
struct ViewFilter: Equatable, Sendable {
  /// The text as it was typed.
  private(set) var text = ""
  /// The conditions that mean the same in every log.
  private(set) var conditions = LogFilter()
  /// The patterns of the titles of scopes.
  private(set) var scopes: [GlobPattern] = []
  /// The patterns of the names of threads, or their numbers.
  private(set) var threads: [String] = []
  var leaksOnly = false

  var isEmpty: Bool {
    conditions == LogFilter() && scopes.isEmpty && threads.isEmpty && !leaksOnly
  }

  /// A Boolean value that indicates whether the filter needs to read the events of the log.
  var needsEvents: Bool { !threads.isEmpty || conditions.needsEvents }

  /// Returns the filter with the names in it resolved to scopes and threads of a log.
  ///
  /// - Parameter leaks: The indices of subscriptions that are or may be leaks.
  func resolved(in log: LogAnalysis, leaks: Set<Int> = []) -> LogFilter {
    var filter = conditions
    filter.evidence = .allEvents
    if leaksOnly { filter.members = leaks }
    if !scopes.isEmpty {
      filter.scopes = Set(
        log.scopes.lazy.filter { scope in scopes.contains { $0.matches(scope.title) } }
          .map { NumberInLog($0) })
    }
    if !threads.isEmpty { filter.threads = threads(of: log) }
    return filter
  }

  private func threads(of log: LogAnalysis) -> Set<NumberInLog> {
    // A number matches whether or not the log has a name for it.
    let numbers = threads.compactMap { UInt64($0) }
    let patterns = threads.map { GlobPattern($0) }
    return log.logs.indices.reduce(into: []) { found, number in
      let known = Set(log.logs[number].threads.keys).union([UInt64(LogFormat.mainThread)])
      let named = known.filter { thread in
        let name = ThreadLabel.of(thread, log: number, in: log)
        return patterns.contains { $0.matches(name) }
      }
      found.formUnion(named.union(numbers).map { NumberInLog(log: number, number: $0) })
    }
  }

  /// Returns whether each subscription meets the conditions about events, or `nil` without such
  /// conditions.
  func matchesOfEvents(in log: LogAnalysis) -> [Bool]? {
    guard needsEvents else { return nil }
    // An unreadable log has no matching events.
    return (try? resolved(in: log).matchesOfEvents(in: log))
      ?? Array(repeating: false, count: log.lifecycles.count)
  }
}

extension ViewFilter {
  /// A problem with a filter, as a sentence.
  struct Problem: Error, Equatable {
    let sentence: String
  }

  /// The kinds of words, as problems list them.
  private static let kinds = ["lane", "source", "scope", "thread", "value", "state"]

  /// The beginnings of words with a kind.
  static let beginnings =
    kinds.map { $0 + ":" }
    + LogFilter.Comparison.Quantity.allCases.map { $0.rawValue + ($0 == .start ? "<" : ">") }

  /// Splits a word into the sign of a negation, which is empty without one, and the rest.
  static func sign(of word: String) -> (sign: String, rest: String) { ("", word) }

  /// Returns a name as it is written in a filter.
  static func quoted(_ name: String) -> String { name.contains(" ") ? "\"\(name)\"" : name }

  /// Returns the word at the end of a text, with its quotation marks, or an empty string after a
  /// space.
  static func lastWord(of text: String) -> String {
    var start = text.startIndex
    var isQuoted = false
    for index in text.indices {
      if text[index] == "\"" { isQuoted.toggle() }
      if text[index] == " ", !isQuoted { start = text.index(after: index) }
    }
    return String(text[start...])
  }

  /// Parses a filter. Spaces separate words, except in quotes.
  init(_ text: String) throws(Problem) {
    self.init()
    self.text = text
    for word in ViewFilter.words(of: text) {
      if let comparison = try ViewFilter.comparison(word) {
        conditions.comparisons.append(comparison)
      } else if let colon = word.firstIndex(of: ":"), colon > word.startIndex,
        !word[..<colon].contains(where: { $0 == "." || $0 == "/" })
      {
        try add(String(word[..<colon]), String(word[word.index(after: colon)...]))
      } else {
        conditions.words.append(SearchText(word))
      }
    }
  }

  private mutating func add(_ kind: String, _ value: String) throws(Problem) {
    guard !value.isEmpty else { throw Problem(sentence: "Enter a value after '\(kind):'.") }
    switch kind {
    case "lane": conditions.lanes.append(GlobPattern(value))
    case "source": conditions.sources.append(GlobPattern(value))
    case "scope": scopes.append(GlobPattern(value))
    case "thread": threads.append(value)
    case "value": conditions.contents.append(SearchText(value))
    case "state":
      guard let state = Lifecycle.State.allCases.first(where: { "\($0)" == value }) else {
        let names = Lifecycle.State.allCases.map { "\($0)" }.joined(separator: ", ")
        throw Problem(sentence: "Unknown state '\(value)'. Use \(names).")
      }
      conditions.states.insert(state)
    default:
      throw Problem(
        sentence: "Unknown filter '\(kind):'. "
          + "Use \(Self.kinds.joined(separator: ", ")), dur>1s, elements>10, start<2s.")
    }
  }

  /// Parses a comparison such as `dur>1s`, or returns `nil` for any other word.
  private static func comparison(_ word: String) throws(Problem) -> LogFilter.Comparison? {
    typealias Comparison = LogFilter.Comparison
    for quantity in Comparison.Quantity.allCases where word.hasPrefix(quantity.rawValue) {
      let rest = word.dropFirst(quantity.rawValue.count)
      guard
        let relation = Comparison.Relation.allCases.first(where: { rest.hasPrefix($0.rawValue) })
      else { continue }
      let number = String(rest.dropFirst(relation.rawValue.count))
      let value =
        quantity == .elements ? UInt64(number) : TimeText.nanoseconds(number)?.count
      guard let value else {
        let example = quantity == .elements ? "a number, as in elements>10" : "a time, as in 1.5s"
        throw Problem(sentence: "'\(number)' after \(quantity.rawValue) must be \(example).")
      }
      return Comparison(quantity: quantity, relation: relation, value: value)
    }
    return nil
  }

  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    for character in text {
      if character == "\"" {
        isQuoted.toggle()
      } else if character == " ", !isQuoted {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    return word.isEmpty ? words : words + [word]
  }
}
