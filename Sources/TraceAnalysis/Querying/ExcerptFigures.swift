import TraceFormat

/// What happened to the subscriptions of an excerpt in its stretch of time.
///
/// The one place that says what a stretch means for a number: elements that came in it, subscriptions that began in it, and ends
/// that fall into it. What ends later is active in it. Only lengths of lives are whole.
package struct ExcerptFigures: Sendable {
  package let excerpt: LogExcerpt
  /// By place in the lifecycles; empty where the stretch is all of the time, and lifecycles have counted.
  private let elements: [Int]

  /// Reads the files again where the stretch is not all of the time.
  package init(_ excerpt: LogExcerpt) throws(LogError) {
    self.excerpt = excerpt
    elements =
      excerpt.hasAllTime ? [] : try excerpt.log.scan(StretchCounter(excerpt)).counts
  }

  /// Of all of the logs.
  package init(_ log: LogAnalysis) {
    excerpt = LogExcerpt(log)
    elements = []
  }

  /// - Parameter index: a place in `LogAnalysis.lifecycles`, as for all others here.
  package func elements(of index: Int) -> Int {
    elements.isEmpty ? excerpt.log.lifecycles[index].elements : elements[index]
  }

  package func begins(_ index: Int) -> Bool {
    let start = excerpt.log.lifecycles[index].start
    return excerpt.start <= start && start <= excerpt.end
  }

  /// How a subscription stands when the stretch is over.
  package func state(of index: Int) -> Lifecycle.State {
    let lifecycle = excerpt.log.lifecycles[index]
    guard let end = lifecycle.end, end <= excerpt.end else { return .active }
    return lifecycle.state
  }
}

/// Counts the elements of each subscription in a stretch of time.
private struct StretchCounter: MergingVisitor {
  private let excerpt: LogExcerpt
  private(set) var counts: [Int]
  private var section = SectionCursor()

  init(_ excerpt: LogExcerpt) {
    self.excerpt = excerpt
    counts = Array(repeating: 0, count: excerpt.log.lifecycles.count)
  }

  mutating func visit(_ record: TraceRecord, at place: TraceRecord.Place) {
    if case .next(let moment) = record.body { visitElement(moment, at: record.time, place) }
  }

  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ place: TraceRecord.Place
  ) {
    guard let number = section.log(of: place, in: excerpt.log) else { return }
    let time = time.after(excerpt.log.logs[number].offset)
    guard time >= excerpt.start, time <= excerpt.end,
      let index = excerpt.log.index(of: moment.id, log: number)
    else { return }
    counts[index] += 1
  }

  mutating func append(_ next: consuming StretchCounter, lines: Int) {
    for index in counts.indices { counts[index] += next.counts[index] }
  }
}
