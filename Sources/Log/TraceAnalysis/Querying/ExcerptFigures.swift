import TraceFormat

/// The figures of the subscriptions of an excerpt in its time range.
///
/// Only this type decides what a time range means for a number. It counts elements that came in the
/// range, subscriptions that began in it, and ends that are in it. A subscription that ends later
/// is active in the range. Only lifetimes are not clipped to the range.
package struct ExcerptFigures: Sendable {
  package let excerpt: LogExcerpt
  /// The number of elements by index in the lifecycles; empty if the range covers all times,
  /// because the lifecycles have the counts then.
  private let elements: [Int]

  /// Computes the figures. It reads the files again if the range does not cover all times.
  package init(_ excerpt: LogExcerpt) throws(LogError) {
    self.excerpt = excerpt
    elements =
      excerpt.hasAllTime ? [] : try excerpt.log.scan(RangeCounter(excerpt)).counts
  }

  /// Creates the figures of whole logs.
  package init(_ log: LogAnalysis) {
    self.init(wholeLivesOf: LogExcerpt(log))
  }

  /// Creates the figures of an excerpt that covers all times, without reading anything.
  init(wholeLivesOf excerpt: LogExcerpt) {
    self.excerpt = excerpt
    elements = []
  }

  /// The same figures without leaked objects.
  package var ofSubscriptions: ExcerptFigures {
    ExcerptFigures(excerpt: excerpt.ofSubscriptions, elements: elements)
  }

  private init(excerpt: LogExcerpt, elements: [Int]) {
    self.excerpt = excerpt
    self.elements = elements
  }

  /// Returns the number of elements of a subscription in the range.
  ///
  /// - Parameter index: The index in `LogAnalysis.lifecycles`, as in all functions of this type.
  package func elements(of index: Int) -> Int {
    elements.isEmpty ? excerpt.log.lifecycles[index].elements : elements[index]
  }

  package func begins(_ index: Int) -> Bool {
    begins(excerpt.log.lifecycles[index])
  }

  func begins(_ lifecycle: Lifecycle) -> Bool {
    excerpt.times.contains(lifecycle.start)
  }

  /// Returns the state of a subscription at the end of the range.
  package func state(of index: Int) -> Lifecycle.State {
    state(of: excerpt.log.lifecycles[index])
  }

  func state(of lifecycle: Lifecycle) -> Lifecycle.State {
    guard let end = lifecycle.end, !excerpt.times.endsBefore(end) else { return .active }
    return lifecycle.state
  }
}

/// A visitor that counts the elements of each subscription in a time range.
private struct RangeCounter: ElementVisitor {
  private let excerpt: LogExcerpt
  private(set) var counts: [Int]
  private var section = SectionCursor()

  init(_ excerpt: LogExcerpt) {
    self.excerpt = excerpt
    counts = Array(repeating: 0, count: excerpt.log.lifecycles.count)
  }

  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    guard let number = section.log(of: location, in: excerpt.log) else { return }
    let time = time.after(excerpt.log.logs[number].offset)
    guard excerpt.times.contains(time),
      let index = excerpt.log.index(of: moment.id, log: number)
    else { return }
    counts[index] += 1
  }

  mutating func append(_ next: consuming RangeCounter, lines: Int) {
    for index in counts.indices { counts[index] += next.counts[index] }
  }
}
