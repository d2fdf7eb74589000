package import TraceAnalysis
import TraceFormat

extension QueryError {
  /// The problem as a sentence that names its place.
  package var sentence: String {
    let place = "at character \(offset + 1)"
    return switch kind {
    case .unknownName(let name):
      "Unknown name '\(name)' \(place). Use \(QueryWords.names), or quotes around the text."
    case .missingValue(let name): "Enter a value after '\(name)' \(place)."
    case .missingTerm(let word) where ["and", "or"].contains(word):
      "'\(word)' \(place) needs a term before and after it."
    case .missingTerm(let word): "'\(word)' \(place) needs a term after it."
    case .unknownState(let text):
      "Unknown state '\(text)' \(place). Use \(QueryWords.list(Lifecycle.State.allCases))."
    case .unknownFeature(let text):
      "Unknown value '\(text)' after has: \(place). Use \(Query.features.joined(separator: ", "))."
    case .notANumber(let text, "id:"):
      "'\(text)' after id: \(place) must be a number, as in id:7."
    case .notANumber(let text, let name):
      "'\(text)' after \(name) \(place) must be a number, as in elements>10."
    case .notATime(let text, let name):
      "'\(text)' after \(name) \(place) must be a time, as in 1.5s."
    case .emptyMoment(let text):
      "'\(text)' after alive: \(place) must be from 0% to 100%, a time, or the name of a mark."
    case .openPattern:
      "The '/' \(place) begins a regular expression. End it with another '/', or use quotes."
    case .wrongPattern(let text, let reason):
      "'\(text)' \(place) is not a regular expression: \(reason)."
    case .openGroup: "The '(' \(place) has no ')'."
    case .emptyGroup: "The '(' \(place) has no terms."
    case .strayParenthesis: "The ')' \(place) has no '('. For text with parentheses, use quotes."
    case .tooDeep: "There are too many parentheses and negations \(place)."
    case .tooManyTexts:
      "A query has at most \(Query.maxTexts) terms about text, values, errors and threads."
    }
  }
}

/// The words that explain queries.
package enum QueryWords {
  /// The terms of a query, with their meanings.
  package static let terms: [(term: String, meaning: String)] = [
    ("timeout", "part of a lane, source, value or error; without capitals, case is ignored"),
    ("\"two words\"", "the same, with spaces or signs"),
    ("/time.*out/i", "a regular expression; i ignores case"),
    ("value:x", "part of an element; also value:/regex/i"),
    ("error:x", "part of an error; also error:/regex/i"),
    ("lane:search.*", "the whole name of a lane; * and ? are wildcards; also lane:/regex/"),
    ("source:*.swift", "the file, or the file and line, where a subscription was made"),
    ("state:failed", list(Lifecycle.State.allCases)),
    ("id:7 #7", "the number of a subscription"),
    ("rule:scope-leak", "subscriptions with findings of a rule"),
    ("has:finding", "subscriptions with any finding"),
    ("life>1s", "how long a subscription has lived; also <, <=, >=, ="),
    ("elements>100", "the number of its elements"),
    ("start<2s", "the time at which it began"),
    ("alive:60%", "alive at a part of the log, a time such as 1.5s, or a mark"),
    ("scope:name", "the scope in which it was made"),
    ("thread:main", "a thread on which it had an event, by name or number"),
    ("process:name", "the process, by name or number"),
    ("a b, a and b", "both; but lane:a lane:b selects two lanes"),
    ("a or b", "at least one of them"),
    ("not a, -a", "what a doesn't select"),
    ("(a or b) c", "a group"),
  ]

  static let names =
    (Query.names + ["life>1s", "elements>10", "start<2s"]).joined(separator: ", ")

  static func list(_ cases: some Sequence) -> String {
    cases.map { "\($0)" }.joined(separator: ", ")
  }
}
