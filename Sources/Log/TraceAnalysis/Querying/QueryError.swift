/// A problem with the text of a query.
package struct QueryError: Error, Equatable {
  package enum Kind: Equatable, Sendable {
    /// A name that doesn't exist, with the sign after it, such as `color:` or `gap>`.
    case unknownName(String)
    /// A name without a value.
    case missingValue(name: String)
    /// A word or a sign after which a term must follow.
    case missingTerm(after: String)
    case unknownState(String)
    case unknownFeature(String)
    case notANumber(String, name: String)
    case notATime(String, name: String)
    case emptyMoment(String)
    /// A regular expression without an end.
    case openPattern
    case wrongPattern(String, reason: String)
    case openGroup
    case emptyGroup
    case strayParenthesis
    case tooDeep
    /// More terms about events than one search of a log can find.
    case tooManyTexts
  }

  package let kind: Kind
  /// The number of characters before the place of the problem.
  package let offset: Int
}

extension Query {
  /// The maximum number of terms about events.
  package static let maxTexts = 16
  /// The maximum depth of parentheses and negations.
  static let maxDepth = 50

  /// The names of terms that end with a colon.
  package static let names = [
    "lane", "source", "scope", "thread", "value", "error", "state", "process", "rule", "id", "has",
    "alive",
  ]
  /// The beginnings of terms with a name.
  package static let beginnings =
    names.map { $0 + ":" } + ["life>", "elements>", "start<", "and", "or", "not"]
  /// The values of `has:`.
  package static let features = ["finding"]
  /// The names of quantities. `dur` is an older name of `life`.
  static let quantities: [(name: String, quantity: QueryAmount.Quantity)] = [
    ("life", .life), ("dur", .life), ("elements", .elements), ("start", .start),
  ]
}
