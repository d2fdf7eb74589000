package import TraceFormat

/// A filter for the subscriptions of logs, and for a time range.
///
/// An empty or nil condition matches everything. A subscription must meet every condition. A
/// condition lists alternatives, except `words`, `comparisons` and `contents`, whose elements must
/// all match.
package struct LogFilter: Equatable, Sendable {
  package var lanes: [GlobPattern] = []
  /// The patterns of source locations, with or without the line.
  package var sources: [GlobPattern] = []
  /// The words that must each occur in the lane or the source location.
  package var words: [SearchText] = []
  package var states: Set<Lifecycle.State> = []
  package var comparisons: [Comparison] = []
  /// The time range. Subscriptions match if they are alive in it.
  package var times = TimeRange.always
  /// The scopes in which a subscription was made.
  package var scopes: Set<NumberInLog>?
  /// The subscriptions that may match, as indices in `LogAnalysis.lifecycles`.
  package var members: Set<Int>?
  /// The numbers of subscriptions.
  package var numbers: Set<UInt64> = []
  /// The logs of the subscriptions, as indices in `LogAnalysis.logs`.
  package var logs: Set<Int>?
  /// The threads on which a subscription had an event.
  package var threads: Set<NumberInLog>?
  /// A regular expression for the text of an event that a subscription had.
  package var value: ElementPattern?
  /// The strings that must each occur in the text of an event of the subscription.
  package var contents: [SearchText] = []
  /// The events that `threads`, `value` and `contents` are about.
  package var evidence = Evidence.elements
  /// The filters that a subscription must not match. Each has conditions either about events or
  /// about the rest.
  package var exclusions: [LogFilter] = []

  /// The kinds of events in which a filter looks for threads and text.
  package enum Evidence: Sendable {
    case elements
    /// All events of a subscription: its elements, its end with the error, and its beginning.
    case allEvents
  }

  /// A condition about a number.
  package struct Comparison: Equatable, Sendable {
    package enum Quantity: String, CaseIterable, Sendable {
      /// The time that the subscription has lived, in nanoseconds.
      case dur
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

    package init(quantity: Quantity, relation: Relation, value: UInt64) {
      self.quantity = quantity
      self.relation = relation
      self.value = value
    }

    fileprivate func holds(_ lifecycle: Lifecycle, _ log: LogAnalysis) -> Bool {
      let measured =
        switch quantity {
        case .dur: log.age(of: lifecycle).count
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

  package init() {}

  /// A Boolean value that indicates whether the filter needs to read the events of the log.
  package var needsEvents: Bool {
    hasEventConditions || exclusions.contains { $0.needsEvents }
  }

  private var hasEventConditions: Bool { threads != nil || value != nil || !contents.isEmpty }

  /// Returns the excerpt of the logs that matches. It reads the files again if the filter asks for
  /// events.
  package func excerpt(of log: LogAnalysis) throws(LogError) -> LogExcerpt {
    guard self != LogFilter() else { return LogExcerpt(log) }
    var isIncluded = matches(in: log)
    if needsEvents { isIncluded = try matchesOfEvents(in: log, among: isIncluded) }
    let times = times.hasEnd ? times : TimeRange(from: times.start, through: log.duration)
    return LogExcerpt(log, times) { isIncluded[$0] }
  }

  /// Returns whether each subscription meets the conditions that are not about events.
  package func matches(in log: LogAnalysis) -> [Bool] {
    // Many subscriptions share a few sites.
    var sites: [ObjectIdentifier: Bool] = [:]
    let included = log.lifecycles.indices.map { index in
      matches(index, in: log) && matches(log.lifecycles[index].site, &sites)
    }
    return exclusions.filter { !$0.needsEvents }.reduce(included) { included, exclusion in
      zip(included, exclusion.matches(in: log)).map { $0 && !$1 }
    }
  }

  /// Returns whether each subscription meets the conditions about events. It reads the files again.
  ///
  /// - Parameter candidates: A Boolean value for each subscription that indicates whether its
  ///   events matter; nil for all of them.
  package func matchesOfEvents(
    in log: LogAnalysis, among candidates: [Bool]? = nil
  ) throws(LogError) -> [Bool] {
    var found = candidates ?? Array(repeating: true, count: log.lifecycles.count)
    if hasEventConditions {
      found = try log.scan(EventMatching(self, in: log, among: candidates)).found
    }
    for exclusion in exclusions where exclusion.needsEvents {
      let excluded = try exclusion.matchesOfEvents(in: log, among: found)
      found = zip(found, excluded).map { $0 && !$1 }
    }
    return found
  }

  private func matches(_ index: Int, in log: LogAnalysis) -> Bool {
    let lifecycle = log.lifecycles[index]
    guard members?.contains(index) ?? true,
      states.isEmpty || states.contains(lifecycle.state),
      numbers.isEmpty || numbers.contains(lifecycle.id.number),
      logs?.contains(Int(lifecycle.log)) ?? true,
      times.overlaps(lifecycle.start, log.lastMoment(of: lifecycle)),
      comparisons.allSatisfy({ $0.holds(lifecycle, log) })
    else { return false }
    guard let scopes else { return true }
    guard let number = lifecycle.scope else { return false }
    return scopes.contains(NumberInLog(log: Int(lifecycle.log), number: number))
  }

  private func matches(_ site: Site, _ known: inout [ObjectIdentifier: Bool]) -> Bool {
    if lanes.isEmpty && sources.isEmpty && words.isEmpty { return true }
    if let known = known[ObjectIdentifier(site)] { return known }
    let matches =
      (lanes.isEmpty || lanes.contains { $0.matches(site.lane) })
      && (sources.isEmpty
        || [site.source, site.file].contains { name in
          name.map { name in sources.contains { $0.matches(name) } } ?? false
        })
      && words.allSatisfy { $0.isIn(site.lane) || (site.source.map($0.isIn) ?? false) }
    known[ObjectIdentifier(site)] = matches
    return matches
  }
}

/// A visitor that finds the subscriptions with events that meet the conditions of a filter.
struct EventMatching: MergingVisitor {
  private let log: LogAnalysis
  private let candidates: [Bool]?
  private let evidence: LogFilter.Evidence
  /// The numbers of the threads that match, by log; empty if any thread does.
  private let threads: [Set<UInt64>]
  private let contents: [SearchText]
  private let pattern: ElementPattern?
  private var matcher: ElementPattern.Matcher?
  private var hasThread: [Bool]
  /// A bit for each string that was not found yet, by subscription. The highest one is for the
  /// pattern.
  private var missing: [UInt64]
  private var section = SectionCursor()

  private static let patternBit: UInt64 = 1 << 63

  init(_ filter: LogFilter, in log: LogAnalysis, among candidates: [Bool]? = nil) {
    self.log = log
    self.candidates = candidates
    evidence = filter.evidence
    // Nobody types more search strings than this.
    contents = Array(filter.contents.prefix(62))
    pattern = filter.value
    threads =
      filter.threads.map { wanted in
        log.logs.indices.map { number in
          Set(wanted.lazy.filter { $0.log == number }.map(\.number))
        }
      } ?? []
    let (threads, evidence) = (threads, evidence)
    hasThread = log.lifecycles.map { lifecycle in
      guard !threads.isEmpty else { return filter.threads == nil }
      guard evidence == .allEvents, let thread = lifecycle.thread else { return false }
      return threads[Int(lifecycle.log)].contains(thread)
    }
    let texts = (1 << UInt64(contents.count)) - 1 | (pattern == nil ? 0 : Self.patternBit)
    missing = Array(repeating: texts, count: log.lifecycles.count)
  }

  /// The result for each index in `LogAnalysis.lifecycles`.
  var found: [Bool] {
    missing.indices.map { candidates?[$0] ?? true && hasThread[$0] && missing[$0] == 0 }
  }

  mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {
    switch record.body {
    case .next(let moment): visitElement(moment, at: record.time, location)
    case let body where evidence == .allEvents:
      if let moment = body.moment?.moment { visitElement(moment, at: record.time, location) }
    default: break
    }
  }

  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    guard let (number, index) = section.subscription(moment.id, at: location, in: log),
      candidates?[index] ?? true
    else { return }
    if !hasThread[index], let thread = moment.thread {
      hasThread[index] = threads[number].contains(thread)
    }
    // A match costs a microsecond or more, so one match for each subscription is enough.
    guard missing[index] != 0, let text = moment.text else { return }
    for (bit, content) in contents.enumerated() where missing[index] & 1 << UInt64(bit) != 0 {
      if content.isIn(text) { missing[index] &= ~(1 << UInt64(bit)) }
    }
    if missing[index] & Self.patternBit != 0, let pattern {
      if matcher == nil { matcher = ElementPattern.Matcher(pattern) }
      if matcher?.matches(text.string) ?? false { missing[index] &= ~Self.patternBit }
    }
  }

  mutating func append(_ next: consuming EventMatching, lines: Int) {
    for index in missing.indices {
      missing[index] &= next.missing[index]
      if next.hasThread[index] { hasThread[index] = true }
    }
  }
}
