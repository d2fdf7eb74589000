package import TraceFormat

/// A question about which subscriptions of logs to select, such as `lane:search.* error:timeout`.
///
/// `/`, `&`, the options of commands, and the tools for agents all use it.
package struct Query: Equatable, Sendable {
  /// The text as it was typed.
  package let text: String
  package let root: QueryNode

  /// Creates a query.
  package init(_ root: QueryNode = .all([]), text: String = "") {
    self.root = root
    self.text = text
  }

  /// A Boolean value that indicates whether the query selects everything because it has no terms.
  package var isEmpty: Bool { root == .all([]) }

  /// A Boolean value that indicates whether a text has capitals, so that it is searched for as it
  /// is.
  package var distinguishesCase: Bool {
    var isSensitive = false
    root.forEachTerm { term, _ in
      switch term {
      case .text(.text(let text)), .value(.text(let text)), .error(.text(let text)):
        isSensitive = isSensitive || text.isSensitive
      default: break
      }
    }
    return isSensitive
  }

  /// Returns the query that selects what both queries select.
  package func and(_ other: Query) -> Query {
    if isEmpty { return other }
    return other.isEmpty ? self : Query(.all([root, other.root]), text: text)
  }
}

package indirect enum QueryNode: Equatable, Sendable {
  case all([QueryNode])
  case any([QueryNode])
  case not(QueryNode)
  case term(QueryTerm)
}

/// A condition of a query.
package enum QueryTerm: Equatable, Sendable {
  /// The lane, the source, or the text of any event of a subscription.
  case text(TextPattern)
  /// The text of an element.
  case value(TextPattern)
  case error(TextPattern)
  case lane(NamePattern)
  /// The place where the subscription was made, with or without the line.
  case source(NamePattern)
  case scope(NamePattern)
  /// A thread on which the subscription had an event.
  case thread(NamePattern)
  case process(NamePattern)
  /// A rule with a finding about the subscription.
  case rule(NamePattern)
  case state(Lifecycle.State)
  case number(UInt64)
  case alive(QueryMoment)
  case amount(QueryAmount)

  /// A Boolean value that indicates whether only the events of a log may tell.
  var isAboutEvents: Bool {
    switch self {
    case .text, .value, .error, .thread: true
    default: false
    }
  }
}

/// A part of a text: a string, or a regular expression.
package enum TextPattern: Equatable, Sendable {
  case text(SearchText)
  case regex(ElementPattern)
}

/// A whole name: a pattern with wildcards, or a regular expression for a part of it.
package enum NamePattern: Equatable, Sendable {
  case glob(GlobPattern)
  case regex(ElementPattern)
}

/// A moment in a log.
package enum QueryMoment: Equatable, Sendable {
  /// A part of the time of the log, in percent.
  case percent(Double)
  case time(Nanoseconds)
  /// The first mark with a name.
  case mark(String)

  /// Returns the time in a log, or `nil` if it doesn't have the mark.
  package func time(in log: LogAnalysis) -> Nanoseconds? {
    switch self {
    case .percent(let share): Nanoseconds(UInt64(Double(log.duration.count) * share / 100))
    case .time(let time): time
    case .mark(let name): log.marks.first { $0.name.utf8.elementsEqual(name.utf8) }?.time
    }
  }
}

/// A condition about a number.
package struct QueryAmount: Equatable, Sendable {
  package enum Quantity: String, CaseIterable, Sendable {
    /// The time that the subscription has lived, in nanoseconds.
    case life
    case elements
    /// The time of its beginning, in nanoseconds since the beginning of the log.
    case start
  }

  package enum Relation: String, CaseIterable, Sendable {
    // The longer ones come first, because they begin with the others.
    case atMost = "<=", atLeast = ">=", less = "<", more = ">", equal = "="
  }

  package let quantity: Quantity
  package let relation: Relation
  package let value: UInt64

  package init(_ quantity: Quantity, _ relation: Relation, _ value: UInt64) {
    self.quantity = quantity
    self.relation = relation
    self.value = value
  }

  func holds(_ lifecycle: Lifecycle, _ log: LogAnalysis) -> Bool {
    let measured =
      switch quantity {
      case .life: log.age(of: lifecycle).count
      case .elements: UInt64(lifecycle.elements)
      case .start: lifecycle.start.count
      }
    return switch relation {
    case .less: measured < value
    case .atMost: measured <= value
    case .more: measured > value
    case .atLeast: measured >= value
    case .equal: measured == value
    }
  }
}

/// What a query asks about findings, which are not a part of a log.
package struct QueryFacts: Sendable {
  /// Returns the subscriptions of the findings of some rules, as indices in the lifecycles.
  let affected: @Sendable (_ isWanted: (String) -> Bool) -> [Int]

  /// Creates the facts of a log without findings.
  package init() { affected = { _ in [] } }

  init(affected: @escaping @Sendable (_ isWanted: (String) -> Bool) -> [Int]) {
    self.affected = affected
  }
}
