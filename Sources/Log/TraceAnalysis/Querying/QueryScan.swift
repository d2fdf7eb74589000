package import TraceFormat

/// An event that meets a term of a query, or the beginning of a subscription that a query selects.
package struct QueryHit: Sendable {
  package let time: Nanoseconds
  /// The location of the record. It has no length if the hit is the beginning of a subscription.
  package let location: TraceRecord.Location
  /// The index in the lifecycles.
  package let lifecycle: Int32
}

/// A visitor that finds the events that meet the terms of a query.
struct QueryScan: MergingVisitor {
  private let log: LogAnalysis
  private let candidates: [Bool]
  private let terms: [QueryTerm]
  /// The terms that events of each kind can meet: elements, failures, and others.
  private var ofElements: UInt16 = 0
  private var ofFailures: UInt16 = 0
  private var ofOthers: UInt16 = 0
  private var ofThreads: UInt16 = 0
  /// The terms whose events are hits, or 0 to keep no hits.
  private var ofHits: UInt16 = 0
  private let isWanted: @Sendable () -> Bool
  private var isStopped = false
  private var untilLook = 0
  /// What matches the terms. Each thread makes its own.
  private var matchers: [TextMatcher?] = []
  private var threads: [ThreadMatching?] = []
  private var section = SectionCursor()
  private var found: [UInt16]
  private(set) var hits: [QueryHit] = []
  private(set) var isCut = false

  /// The maximum number of hits.
  static let maxHits = 500_000

  init(
    _ query: Query, in log: LogAnalysis, among candidates: [Bool], keepsHits: Bool,
    isWanted: @escaping @Sendable () -> Bool = { true }
  ) {
    self.log = log
    self.candidates = candidates
    self.isWanted = isWanted
    terms = query.eventTerms
    found = Array(repeating: 0, count: log.lifecycles.count)
    for (number, term) in terms.enumerated() {
      let bit = UInt16(1) << UInt16(number)
      switch term {
      case .value: ofElements |= bit
      case .error: ofFailures |= bit
      case .thread:
        (ofElements, ofFailures, ofOthers) = (ofElements | bit, ofFailures | bit, ofOthers | bit)
        ofThreads |= bit
      default:
        (ofElements, ofFailures, ofOthers) = (ofElements | bit, ofFailures | bit, ofOthers | bit)
      }
    }
    guard keepsHits else { return }
    var number = 0
    var wanted: UInt16 = 0
    query.root.forEachTerm { term, isNegated in
      guard term.isAboutEvents else { return }
      if !isNegated { wanted |= 1 << UInt16(number) }
      number += 1
    }
    ofHits = wanted & ~ofThreads
  }

  var events: QueryEvents { QueryEvents(found) }

  mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {
    guard let (kind, moment) = record.body.moment else { return }
    let terms =
      switch kind {
      case .next: ofElements
      case .failed: ofFailures
      default: ofOthers
      }
    visit(moment, terms, record.time, location)
  }

  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    visit(moment, ofElements, time, location)
  }

  @inline(__always)
  private mutating func visit(
    _ moment: TraceRecord.Moment, _ terms: UInt16, _ time: Nanoseconds,
    _ location: TraceRecord.Location
  ) {
    if untilLook == 0 {
      untilLook = 10_000
      isStopped = !isWanted()
    }
    untilLook -= 1
    guard terms != 0, !isStopped else { return }
    guard ofHits != 0 else { return note(moment, terms, location) }
    // Few events have the text, so it is cheaper to look for that first.
    let met = matched(moment, terms & ~ofThreads)
    guard met != 0 || ofThreads != 0,
      let (number, index) = section.subscription(moment.id, at: location, in: log),
      candidates[index]
    else { return }
    found[index] |= met | matchedThreads(moment, number)
    guard met & ofHits != 0 else { return }
    guard hits.count < Self.maxHits else { return isCut = true }
    hits.append(
      QueryHit(
        time: time.after(log.logs[number].offset), location: location,
        lifecycle: Int32(clamping: index)))
  }

  /// Notes the terms that an event meets. A match costs a microsecond or more, so one match for
  /// each subscription is enough.
  private mutating func note(
    _ moment: TraceRecord.Moment, _ terms: UInt16, _ location: TraceRecord.Location
  ) {
    guard let (number, index) = section.subscription(moment.id, at: location, in: log),
      candidates[index]
    else { return }
    let open = terms & ~found[index]
    guard open != 0 else { return }
    found[index] |= matched(moment, open & ~ofThreads)
    if open & ofThreads != 0 { found[index] |= matchedThreads(moment, number) }
  }

  /// Returns which of some terms the text of an event meets.
  private mutating func matched(_ moment: TraceRecord.Moment, _ wanted: UInt16) -> UInt16 {
    guard wanted != 0, let text = moment.text else { return 0 }
    if matchers.isEmpty { matchers = terms.map(\.textPattern).map { $0.map { TextMatcher($0) } } }
    var met: UInt16 = 0
    for (number, matcher) in matchers.enumerated() {
      let bit = UInt16(1) << UInt16(number)
      if wanted & bit != 0, matcher?.matches(text) ?? false { met |= bit }
    }
    return met
  }

  private mutating func matchedThreads(_ moment: TraceRecord.Moment, _ number: Int) -> UInt16 {
    guard ofThreads != 0, let thread = moment.thread else { return 0 }
    if threads.isEmpty {
      threads = terms.map { term in
        if case .thread(let pattern) = term { ThreadMatching(pattern, log) } else { nil }
      }
    }
    var met: UInt16 = 0
    for index in threads.indices where threads[index]?.matches(thread, number) ?? false {
      met |= 1 << UInt16(index)
    }
    return met
  }

  mutating func append(_ next: consuming QueryScan, lines: Int) {
    for index in found.indices { found[index] |= next.found[index] }
    let room = Self.maxHits - hits.count
    hits += next.hits.prefix(room)
    isCut = isCut || next.isCut || next.hits.count > room
  }
}

extension QueryTerm {
  fileprivate var textPattern: TextPattern? {
    switch self {
    case .text(let pattern), .value(let pattern), .error(let pattern): pattern
    default: nil
    }
  }
}

/// The events that meet a query, and the subscriptions that it selects.
package struct QueryHits: Sendable {
  /// The hits in no particular order. Each selected subscription has at least one.
  package var hits: [QueryHit] = []
  /// The selected subscriptions, as ascending indices in the lifecycles.
  package var members: [Int32] = []
  /// A Boolean value that indicates whether there are more hits than are kept.
  package var isCut = false
}

extension Query {
  /// Searches a part of a log. It reads the files if the query asks for events.
  ///
  /// - Parameters:
  ///   - progress: A function that takes the number of bytes that were read since the last call.
  ///   - isWanted: A function that returns false to stop the search.
  package func hits(
    in excerpt: LogExcerpt, _ facts: QueryFacts,
    progress: (@Sendable (Int) -> Void)? = nil,
    isWanted: @escaping @Sendable () -> Bool = { true }
  ) throws(LogError) -> QueryHits {
    let log = excerpt.log
    let isInside = log.lifecycles.indices.map { excerpt.contains($0) }
    var evaluation = QueryEvaluation(log, facts, nil)
    let truths = evaluation.truths(of: root)
    // The events of subscriptions that are selected anyway are hits, too.
    let candidates = truths.indices.map { truths[$0] != QueryEvaluation.no && isInside[$0] }
    var events = QueryEvents()
    var found = QueryHits()
    if needsEvents, candidates.contains(true) {
      let scan = QueryScan(
        self, in: log, among: candidates, keepsHits: true, isWanted: isWanted)
      let result = try ParallelReading(log.files).read(
        scan, progress: progress, isWanted: isWanted
      ).visitor
      (events, found.hits, found.isCut) = (result.events, result.hits, result.isCut)
    }
    let matches = matches(in: log, facts, events: events)
    let isSelected = matches.indices.map { matches[$0] && isInside[$0] }
    found.hits.removeAll { !isSelected[Int($0.lifecycle)] }
    found.members = isSelected.indices.lazy.filter { isSelected[$0] }.map { Int32(clamping: $0) }
    addBeginnings(to: &found, in: log)
    return found
  }

  /// Adds the beginnings of subscriptions whose lanes or sources have the text, or that have no
  /// other hit.
  private func addBeginnings(to found: inout QueryHits, in log: LogAnalysis) {
    var hasHit = Array(repeating: false, count: log.lifecycles.count)
    for hit in found.hits { hasHit[Int(hit.lifecycle)] = true }
    var texts: [QueryNode] = []
    root.forEachTerm { term, isNegated in
      if case .text = term, !isNegated { texts.append(.term(term)) }
    }
    var evaluation = QueryEvaluation(log, QueryFacts(), QueryEvents())
    let isNamed = evaluation.truths(of: .any(texts))
    for member in found.members {
      let index = Int(member)
      guard !hasHit[index] || isNamed[index] == QueryEvaluation.yes else { continue }
      guard found.hits.count < QueryScan.maxHits else { return found.isCut = true }
      let lifecycle = log.lifecycles[index]
      found.hits.append(
        QueryHit(
          time: lifecycle.start, location: lifecycle.firstLocation, lifecycle: member))
    }
  }
}
