import TerminalUI
import TraceAnalysis
import TraceFormat

extension ViewFilter {
  /// A problem with a filter, as a sentence.
  struct Problem: Error, Equatable {
    let sentence: String
  }

  /// The kinds of words, as problems list them.
  private static let kinds = ["lane", "source", "scope", "thread", "value", "state"]

  /// Parses a filter. Spaces separate words, except in quotes.
  init(_ text: String) throws(Problem) {
    self.init(text: text)
    for word in ViewFilter.words(of: text) {
      if let comparison = try ViewFilter.comparison(word) {
        comparisons.append(comparison)
      } else if let colon = word.firstIndex(of: ":"), colon > word.startIndex,
        !word[..<colon].contains(where: { $0 == "." || $0 == "/" })
      {
        try add(String(word[..<colon]), String(word[word.index(after: colon)...]))
      } else {
        words.append(SearchText(word))
      }
    }
  }

  private mutating func add(_ kind: String, _ value: String) throws(Problem) {
    guard !value.isEmpty else { throw Problem(sentence: "Say something after '\(kind):'.") }
    switch kind {
    case "lane": lanes.append(GlobPattern(value))
    case "source": sources.append(GlobPattern(value))
    case "scope": scopes.append(value)
    case "thread": threads.append(value)
    case "value": values.append(value)
    case "state":
      guard let state = Lifecycle.State.allCases.first(where: { "\($0)" == value }) else {
        let names = Lifecycle.State.allCases.map { "\($0)" }.joined(separator: ", ")
        throw Problem(sentence: "'\(value)' is no state. There are \(names).")
      }
      states.insert(state)
    default:
      throw Problem(
        sentence: "There is no '\(kind):'. There are \(Self.kinds.joined(separator: ", ")), "
          + "dur>1s, elements>10, start<2s.")
    }
  }

  /// Parses a comparison such as `dur>1s`, or returns `nil` for any other word.
  private static func comparison(_ word: String) throws(Problem) -> Comparison? {
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
