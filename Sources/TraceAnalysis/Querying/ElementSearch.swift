import TraceFormat

/// A visitor that finds the subscriptions that had an element on one of some threads, and an
/// element whose text matches a pattern.
struct ElementSearch: MergingVisitor {
  private let log: LogAnalysis
  private let candidates: [Bool]
  private let threads: Set<NumberInLog>?
  private let pattern: ElementPattern?
  private var matcher: ElementPattern.Matcher?
  private var hasThread: [Bool]
  private var hasText: [Bool]
  private var section = SectionCursor()

  init(
    _ log: LogAnalysis, among candidates: [Bool], threads: Set<NumberInLog>?,
    pattern: ElementPattern?
  ) {
    self.log = log
    self.candidates = candidates
    self.threads = threads
    self.pattern = pattern
    // Every subscription meets a condition that is not set.
    hasThread = Array(repeating: threads == nil, count: candidates.count)
    hasText = Array(repeating: pattern == nil, count: candidates.count)
  }

  /// The result for each index in `LogAnalysis.lifecycles`.
  var found: [Bool] {
    candidates.indices.map { candidates[$0] && hasThread[$0] && hasText[$0] }
  }

  mutating func visit(_ record: TraceRecord, at place: TraceRecord.Place) {
    if case .next(let moment) = record.body { visitElement(moment, at: record.time, place) }
  }

  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ place: TraceRecord.Place
  ) {
    guard let number = section.log(of: place, in: log),
      let index = log.index(of: moment.id, log: number), candidates[index]
    else { return }
    if !hasThread[index], let threads, let thread = moment.thread {
      hasThread[index] = threads.contains(.init(log: number, number: thread))
    }
    // A match costs a microsecond or more, so one match for each subscription is enough.
    if !hasText[index], let pattern, let text = moment.text {
      if matcher == nil { matcher = ElementPattern.Matcher(pattern) }
      hasText[index] = matcher?.matches(text.string) ?? false
    }
  }

  mutating func append(_ next: consuming ElementSearch, lines: Int) {
    for index in candidates.indices where candidates[index] {
      if next.hasThread[index] { hasThread[index] = true }
      if next.hasText[index] { hasText[index] = true }
    }
  }
}
