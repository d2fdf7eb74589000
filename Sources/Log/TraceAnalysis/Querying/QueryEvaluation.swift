import TraceFormat

extension Query {
  /// The terms that only the events of a log may tell, in the order in which they are evaluated.
  var eventTerms: [QueryTerm] {
    var terms: [QueryTerm] = []
    root.forEachTerm { term, _ in if term.isAboutEvents { terms.append(term) } }
    return terms
  }

  /// A Boolean value that indicates whether the query needs to read the events of the log.
  package var needsEvents: Bool { !eventTerms.isEmpty }

  /// Returns whether each subscription is selected. It reads the files again if the query asks for
  /// events.
  ///
  /// - Parameter candidates: A Boolean value for each subscription that indicates whether it may be
  ///   selected; nil for all of them.
  package func matches(
    in log: LogAnalysis, _ facts: QueryFacts = QueryFacts(), among candidates: [Bool]? = nil
  ) throws(LogError) -> [Bool] {
    let matches = matches(in: log, facts, events: try events(in: log, facts, among: candidates))
    guard let candidates else { return matches }
    return zip(matches, candidates).map { $0 && $1 }
  }

  /// Returns whether each subscription is selected, if it is known which terms its events meet.
  package func matches(
    in log: LogAnalysis, _ facts: QueryFacts, events: QueryEvents
  ) -> [Bool] {
    guard !isEmpty else { return Array(repeating: true, count: log.lifecycles.count) }
    var evaluation = QueryEvaluation(log, facts, events)
    return evaluation.truths(of: root).map { $0 == QueryEvaluation.yes }
  }

  /// Returns the terms that the events of each subscription meet, as far as they decide whether it
  /// is selected. It reads the files again if any term is about events.
  ///
  /// - Parameter isWanted: A function that returns false to stop reading.
  package func events(
    in log: LogAnalysis, _ facts: QueryFacts, among candidates: [Bool]? = nil,
    isWanted: @escaping @Sendable () -> Bool = { true }
  ) throws(LogError) -> QueryEvents {
    guard needsEvents else { return QueryEvents() }
    let open = undecided(in: log, facts, among: candidates)
    guard open.contains(true) else { return QueryEvents() }
    let scan = QueryScan(self, in: log, among: open, keepsHits: false, isWanted: isWanted)
    return try ParallelReading(log.files).read(scan, isWanted: isWanted).visitor.events
  }

  /// Returns the subscriptions that are selected or not depending on their events.
  func undecided(
    in log: LogAnalysis, _ facts: QueryFacts, among candidates: [Bool]? = nil
  ) -> [Bool] {
    var evaluation = QueryEvaluation(log, facts, nil)
    let truths = evaluation.truths(of: root)
    guard let candidates else { return truths.map { $0 == QueryEvaluation.unknown } }
    return zip(truths, candidates).map { $0 == QueryEvaluation.unknown && $1 }
  }
}

extension QueryNode {
  /// Calls a function with each term from left to right, and whether the term is negated.
  func forEachTerm(isNegated: Bool = false, _ body: (QueryTerm, Bool) -> Void) {
    switch self {
    case .all(let nodes), .any(let nodes):
      for node in nodes { node.forEachTerm(isNegated: isNegated, body) }
    case .not(let node): node.forEachTerm(isNegated: !isNegated, body)
    case .term(let term): body(term, isNegated)
    }
  }
}

/// The terms of a query that the events of each subscription meet.
package struct QueryEvents: Sendable {
  /// A bit for each term about events, by subscription. Later subscriptions have no events yet.
  fileprivate let bits: [UInt16]

  init(_ bits: [UInt16]) { self.bits = bits }

  /// Creates the result for a query that isn't about events.
  package init() { bits = [] }
}

/// The truth of a query about each subscription of logs.
///
/// The values of a whole log are computed at once for each term, which is fast for a million
/// subscriptions.
struct QueryEvaluation {
  // With these numbers, `and` is the minimum, and `or` the maximum.
  static let no: UInt8 = 0
  static let unknown: UInt8 = 1
  static let yes: UInt8 = 2

  private let log: LogAnalysis
  private let facts: QueryFacts
  private let events: QueryEvents?
  /// The number of terms about events that were evaluated.
  private var eventTerms = 0

  /// Creates an evaluation.
  ///
  /// - Parameter events: The terms that events meet, or nil if that isn't known.
  init(_ log: LogAnalysis, _ facts: QueryFacts, _ events: QueryEvents?) {
    self.log = log
    self.facts = facts
    self.events = events
  }

  mutating func truths(of node: QueryNode) -> [UInt8] {
    switch node {
    case .all(let nodes): return combined(nodes, Self.yes) { min($0, $1) }
    case .any(let nodes): return combined(nodes, Self.no) { max($0, $1) }
    case .not(let node): return truths(of: node).map { 2 - $0 }
    case .term(let term):
      let known = truths(of: term)
      return term.isAboutEvents ? withEvents(known) : known
    }
  }

  private mutating func combined(
    _ nodes: [QueryNode], _ start: UInt8, _ combine: (UInt8, UInt8) -> UInt8
  ) -> [UInt8] {
    guard var result = nodes.first.map({ truths(of: $0) }) else {
      return Array(repeating: start, count: log.lifecycles.count)
    }
    for node in nodes.dropFirst() {
      let next = truths(of: node)
      for index in result.indices { result[index] = combine(result[index], next[index]) }
    }
    return result
  }

  /// Adds what is known about the events of the next term about events.
  private mutating func withEvents(_ known: [UInt8]) -> [UInt8] {
    let bit = UInt16(1) << UInt16(eventTerms)
    eventTerms += 1
    guard let bits = events?.bits else { return known.map { $0 == Self.yes ? $0 : Self.unknown } }
    return known.indices.map { index in
      index < bits.count && bits[index] & bit != 0 ? Self.yes : known[index]
    }
  }

  // MARK: Terms

  /// Returns what is known about a term without events.
  private func truths(of term: QueryTerm) -> [UInt8] {
    switch term {
    case .text(let pattern):
      let pattern = TextMatcher(pattern)
      return ofSites { pattern.matches($0.lane) || ($0.source.map(pattern.matches) ?? false) }
    case .value, .error: return Array(repeating: Self.no, count: log.lifecycles.count)
    case .lane(let pattern):
      let pattern = NameMatcher(pattern)
      return ofSites { pattern.matches($0.lane) }
    case .source(let pattern):
      let pattern = NameMatcher(pattern)
      return ofSites { site in
        [site.source, site.file].contains { $0.map(pattern.matches) ?? false }
      }
    case .scope(let pattern): return ofScopes(NameMatcher(pattern))
    case .thread(let pattern):
      var threads = ThreadMatching(pattern, log)
      return ofAll { index in
        let lifecycle = log.lifecycles[index]
        return lifecycle.thread.map { threads.matches($0, Int(lifecycle.log)) } ?? false
      }
    case .process(let pattern):
      let pattern = NameMatcher(pattern)
      let isWanted = log.logs.map { log in
        [log.title, log.header?.process, log.header?.pid.map { "\($0)" }].contains { name in
          name.map(pattern.matches) ?? false
        }
      }
      return ofAll { isWanted[Int(log.lifecycles.activity(at: $0).log)] }
    case .rule(let pattern):
      let pattern = NameMatcher(pattern)
      var truths = Array(repeating: Self.no, count: log.lifecycles.count)
      for index in facts.affected(pattern.matches) where truths.indices.contains(index) {
        truths[index] = Self.yes
      }
      return truths
    case .state(let state): return ofAll { log.lifecycles.activity(at: $0).state == state }
    case .number(let number): return ofAll { log.lifecycles[$0].id.number == number }
    case .alive(let moment):
      guard let time = moment.time(in: log) else { return ofAll { _ in false } }
      return ofAll { index in
        let lifecycle = log.lifecycles[index]
        return lifecycle.isAlive(at: time) && !lifecycle.isObject
      }
    case .amount(let amount): return ofAll { amount.holds(log.lifecycles[$0], log) }
    }
  }

  private func ofAll(_ isTrue: (Int) -> Bool) -> [UInt8] {
    log.lifecycles.indices.map { isTrue($0) ? Self.yes : Self.no }
  }

  /// Asks once for each site, because many subscriptions share a few.
  private func ofSites(_ isTrue: (Site) -> Bool) -> [UInt8] {
    var slots = SiteSlots()
    var known: [UInt8] = []
    return log.lifecycles.indices.map { index in
      let site = log.lifecycles.origin(at: index).site.site
      let slot = slots.slot(of: site)
      if slot == known.count { known.append(isTrue(site) ? Self.yes : Self.no) }
      return known[slot]
    }
  }

  private func ofScopes(_ pattern: NameMatcher) -> [UInt8] {
    let wanted = Set(
      log.scopes.lazy.filter { pattern.matches($0.name ?? "") || pattern.matches("\($0.number)") }
        .map { NumberInLog($0) })
    guard !wanted.isEmpty else { return Array(repeating: Self.no, count: log.lifecycles.count) }
    return ofAll { index in
      let lifecycle = log.lifecycles[index]
      return lifecycle.scope.map {
        wanted.contains(NumberInLog(log: Int(lifecycle.log), number: $0))
      } ?? false
    }
  }
}

/// A pattern for a part of a text that is ready to be used on one thread.
struct TextMatcher: Sendable {
  private enum Kind: Sendable {
    case text(SearchText)
    case regex(ElementPattern.Matcher)
  }

  private let kind: Kind

  init(_ pattern: TextPattern) {
    kind =
      switch pattern {
      case .text(let text): .text(text)
      case .regex(let pattern): .regex(ElementPattern.Matcher(pattern))
      }
  }

  func matches(_ text: String) -> Bool {
    switch kind {
    case .text(let wanted): wanted.isIn(text)
    case .regex(let matcher): matcher.matches(text)
    }
  }

  func matches(_ text: RawText) -> Bool {
    switch kind {
    case .text(let wanted): wanted.isIn(text)
    case .regex(let matcher): matcher.matches(text.string)
    }
  }
}

/// A pattern for a name that is ready to be used on one thread.
struct NameMatcher: Sendable {
  private enum Kind: Sendable {
    case glob(GlobPattern)
    case regex(ElementPattern.Matcher)
  }

  private let kind: Kind

  init(_ pattern: NamePattern) {
    kind =
      switch pattern {
      case .glob(let pattern): .glob(pattern)
      case .regex(let pattern): .regex(ElementPattern.Matcher(pattern))
      }
  }

  func matches(_ name: String) -> Bool {
    switch kind {
    case .glob(let pattern): pattern.matches(name)
    case .regex(let matcher): matcher.matches(name)
    }
  }
}

/// The threads of logs whose names or numbers match a pattern.
struct ThreadMatching: Sendable {
  private let pattern: NameMatcher
  private let log: LogAnalysis
  private var known: [NumberInLog: Bool] = [:]

  init(_ pattern: NamePattern, _ log: LogAnalysis) {
    self.pattern = NameMatcher(pattern)
    self.log = log
  }

  mutating func matches(_ number: UInt64, _ log: Int) -> Bool {
    let key = NumberInLog(log: log, number: number)
    if let known = known[key] { return known }
    let name = ThreadLabel.of(number, log: log, in: self.log)
    let matches = pattern.matches(name) || pattern.matches("\(number)")
    known[key] = matches
    return matches
  }
}
