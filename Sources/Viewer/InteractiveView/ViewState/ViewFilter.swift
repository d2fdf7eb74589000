import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// A filter of the viewer, such as `lane:search.* -state:completed value:swift thread:main dur>1s`.
///
/// For each kind of word in the filter, a subscription must match at least one word of that kind. A
/// word without a kind is searched for in lanes and sources. A subscription must not match any word
/// with `-` or `!` before it.
struct ViewFilter: Equatable, Sendable {
  /// The text as it was typed.
  private(set) var text = ""
  private(set) var wanted = FilterWords()
  /// The words with a sign of negation, each on its own.
  private(set) var unwanted: [FilterWords] = []
  var leaksOnly = false

  init() {}

  /// Creates a filter of lanes, as it would be typed.
  init(lanes: [String]) {
    text = lanes.map { "lane:" + Self.quoted($0) }.joined(separator: " ")
    wanted.conditions.lanes = lanes.map { GlobPattern($0) }
  }

  /// What a filter asks about the findings in a log.
  struct Facts: Sendable {
    /// The subscriptions that are or may be leaks, as indices in the lifecycles.
    var leaks: Set<Int> = []
    var findings: [Finding] = []
  }

  var isEmpty: Bool { wanted.isEmpty && unwanted.isEmpty && !leaksOnly }

  /// A Boolean value that indicates whether the filter needs to read the events of the log.
  var needsEvents: Bool { wanted.needsEvents || unwanted.contains { $0.needsEvents } }

  /// Returns the filter with the names in it resolved to scopes, threads and subscriptions of a
  /// log.
  func resolved(in log: LogAnalysis, _ facts: Facts = Facts()) -> LogFilter {
    var filter = wanted.resolved(in: log, facts.findings)
    if leaksOnly { filter.members = filter.members?.intersection(facts.leaks) ?? facts.leaks }
    filter.exclusions = unwanted.map { $0.resolved(in: log, facts.findings) }
    return filter
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

/// The conditions in the words of a filter.
struct FilterWords: Equatable, Sendable {
  /// The conditions that mean the same in every log.
  var conditions = LogFilter()
  /// The patterns of the titles of scopes.
  var scopes: [GlobPattern] = []
  /// The patterns of the names of threads, or their numbers.
  var threads: [String] = []
  /// The patterns of the names of processes, with or without their numbers.
  var processes: [GlobPattern] = []
  /// The patterns of the names of rules.
  var rules: [GlobPattern] = []

  var isEmpty: Bool { self == FilterWords() }
  var needsEvents: Bool { !threads.isEmpty || conditions.needsEvents }

  func resolved(in log: LogAnalysis, _ findings: [Finding]) -> LogFilter {
    var filter = conditions
    filter.evidence = .allEvents
    if !scopes.isEmpty {
      filter.scopes = Set(
        log.scopes.lazy.filter { scope in scopes.contains { $0.matches(scope.title) } }
          .map { NumberInLog($0) })
    }
    if !threads.isEmpty { filter.threads = threads(of: log) }
    if !processes.isEmpty {
      filter.logs = Set(log.logs.indices.filter { hasProcess(log.logs[$0]) })
    }
    if !rules.isEmpty {
      filter.members = Set(
        findings.lazy.filter { finding in rules.contains { $0.matches(finding.rule) } }
          .flatMap(\.affected))
    }
    return filter
  }

  private func hasProcess(_ log: TraceLog) -> Bool {
    [log.title, log.header?.process, log.header?.pid.map { "\($0)" }].contains { name in
      name.map { name in processes.contains { $0.matches(name) } } ?? false
    }
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
}

extension ViewFilter {
  /// A problem with a filter, as a sentence.
  struct Problem: Error, Equatable {
    let sentence: String
  }

  /// The kinds of words, as problems list them.
  private static let kinds = [
    "lane", "source", "scope", "thread", "value", "state", "process", "rule", "id", "has",
  ]
  /// The values of `has:`.
  static let features = ["finding"]

  /// The beginnings of words with a kind.
  static let beginnings =
    kinds.map { $0 + ":" }
    + LogFilter.Comparison.Quantity.allCases.map { $0.rawValue + ($0 == .start ? "<" : ">") }

  private static let negations: Set<Character> = ["-", "!"]

  /// Splits a word into the sign of a negation, which is empty without one, and the rest.
  static func sign(of word: String) -> (sign: String, rest: String) {
    guard let first = word.first, negations.contains(first) else { return ("", word) }
    return (String(first), String(word.dropFirst()))
  }

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
    for word in Self.words(of: text) {
      let (sign, rest) = word.first == "\"" ? ("", word) : Self.sign(of: word)
      let plain = rest.filter { $0 != "\"" }
      if sign.isEmpty {
        try wanted.add(plain)
      } else if plain.isEmpty {
        throw Problem(sentence: "Enter what to leave out after '\(sign)', as in -lane:a.*")
      } else {
        var words = FilterWords()
        try words.add(plain)
        unwanted.append(words)
      }
    }
  }

  /// Returns the words with their quotation marks.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var rest = text
    while !rest.isEmpty {
      let word = lastWord(of: rest)
      if !word.allSatisfy({ $0 == "\"" }) { words.append(word) }
      rest = String(rest.dropLast(max(1, word.count)))
    }
    return words.reversed()
  }

  fileprivate static func unknown(_ kind: String) -> Problem {
    Problem(
      sentence: "Unknown filter '\(kind)'. "
        + "Use \(kinds.joined(separator: ", ")), dur>1s, elements>10, start<2s.")
  }
}

extension FilterWords {
  fileprivate typealias Problem = ViewFilter.Problem

  fileprivate mutating func add(_ word: String) throws(ViewFilter.Problem) {
    if let comparison = try Self.comparison(word) {
      conditions.comparisons.append(comparison)
    } else if word.hasPrefix("#"), let number = UInt64(word.dropFirst()) {
      conditions.numbers.insert(number)
    } else if let colon = word.firstIndex(of: ":"), colon > word.startIndex,
      !word[..<colon].contains(where: { $0 == "." || $0 == "/" })
    {
      try add(String(word[..<colon]), String(word[word.index(after: colon)...]))
    } else {
      conditions.words.append(SearchText(word))
    }
  }

  private mutating func add(_ kind: String, _ value: String) throws(ViewFilter.Problem) {
    guard !value.isEmpty else { throw Problem(sentence: "Enter a value after '\(kind):'.") }
    switch kind {
    case "lane": conditions.lanes.append(GlobPattern(value))
    case "source": conditions.sources.append(GlobPattern(value))
    case "scope": scopes.append(GlobPattern(value))
    case "thread": threads.append(value)
    case "value": conditions.contents.append(SearchText(value))
    case "process": processes.append(GlobPattern(value))
    case "rule": rules.append(GlobPattern(value))
    case "id":
      guard let number = UInt64(value.hasPrefix("#") ? value.dropFirst() : value[...]) else {
        throw Problem(sentence: "'\(value)' after id: must be a number, as in id:7.")
      }
      conditions.numbers.insert(number)
    case "has":
      guard ViewFilter.features.contains(value) else {
        let names = ViewFilter.features.joined(separator: ", ")
        throw Problem(sentence: "Unknown value '\(value)' after has:. Use \(names).")
      }
      rules.append(GlobPattern("*"))
    case "state":
      guard let state = Lifecycle.State.allCases.first(where: { "\($0)" == value }) else {
        let names = Lifecycle.State.allCases.map { "\($0)" }.joined(separator: ", ")
        throw Problem(sentence: "Unknown state '\(value)'. Use \(names).")
      }
      conditions.states.insert(state)
    default: throw ViewFilter.unknown(kind + ":")
    }
  }

  /// Parses a comparison such as `dur>1s`, or returns `nil` for any other word.
  private static func comparison(_ word: String) throws(ViewFilter.Problem) -> LogFilter.Comparison?
  {
    typealias Comparison = LogFilter.Comparison
    for quantity in Comparison.Quantity.allCases where word.hasPrefix(quantity.rawValue) {
      let rest = word.dropFirst(quantity.rawValue.count)
      guard
        let relation = Comparison.Relation.allCases.first(where: { rest.hasPrefix($0.rawValue) })
      else { continue }
      let number = String(rest.dropFirst(relation.rawValue.count))
      let value = quantity == .elements ? UInt64(number) : TimeText.nanoseconds(number)?.count
      guard let value else {
        let example = quantity == .elements ? "a number, as in elements>10" : "a time, as in 1.5s"
        throw Problem(sentence: "'\(number)' after \(quantity.rawValue) must be \(example).")
      }
      return Comparison(quantity: quantity, relation: relation, value: value)
    }
    // Names of types may have the same signs, but a number after them is a comparison.
    if let sign = word.firstIndex(where: { $0 == "<" || $0 == ">" }), sign > word.startIndex,
      word[..<sign].allSatisfy(\.isLetter),
      word[sign...].drop(while: { "<>=".contains($0) }).first?.isNumber ?? false
    {
      throw ViewFilter.unknown(String(word[..<word.index(after: sign)]))
    }
    return nil
  }
}
