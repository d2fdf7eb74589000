import TerminalUI
import TraceAnalysis
import TraceFormat

/// A visitor that finds the subscriptions that have an element on one of several threads and an
/// element with each of several texts.
struct ElementFilter: MergingVisitor {
  private let log: LogAnalysis
  private let filter: ViewFilter
  private let values: [SearchText]
  /// The numbers of the threads that match, by log.
  private let threads: [Set<UInt64>]
  private var hasThread: [Bool]
  /// A bit for each text that was found, by subscription.
  private var hasTexts: [UInt64]
  private var section = SectionCursor()

  init(_ log: LogAnalysis, _ filter: ViewFilter) {
    self.log = log
    self.filter = filter
    // Nobody types more values than this.
    values = filter.values.prefix(64).map { SearchText($0) }
    // A number matches whether or not the log has a name for it.
    let numbers = Set(filter.threads.compactMap { UInt64($0) })
    let threads = log.logs.indices.map { number -> Set<UInt64> in
      let known = Set(log.logs[number].threads.keys).union([UInt64(LogFormat.mainThread)])
      return numbers.union(
        known.filter { thread in
          let name = ThreadLabel.of(thread, log: number, in: log)
          return filter.threads.contains { GlobPattern($0).matches(name) }
        })
    }
    self.threads = threads
    hasTexts = Array(repeating: 0, count: log.lifecycles.count)
    hasThread = log.lifecycles.map { lifecycle in
      // The thread on which the subscription was made counts too.
      filter.threads.isEmpty
        || lifecycle.thread.map { threads[Int(lifecycle.log)].contains($0) } ?? false
    }
  }

  /// Returns whether each subscription passes the filter on elements, by index in the lifecycles.
  /// Returns `nil` if the filter does not depend on elements.
  static func included(_ filter: ViewFilter, in log: LogAnalysis) -> [Bool]? {
    guard filter.needsElements else { return nil }
    // An unreadable log has no matching elements.
    return (try? log.scan(ElementFilter(log, filter)))?.found
      ?? Array(repeating: false, count: log.lifecycles.count)
  }

  /// A Boolean value for each subscription that indicates whether it matches, by index in the
  /// lifecycles.
  var found: [Bool] {
    let all: UInt64 = values.count == 64 ? .max : 1 << UInt64(values.count) - 1
    return hasTexts.indices.map { hasThread[$0] && hasTexts[$0] == all }
  }

  mutating func visit(_ record: TraceRecord, at place: TraceRecord.Place) {
    if let moment = record.body.moment?.moment { visitElement(moment, at: record.time, place) }
  }

  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ place: TraceRecord.Place
  ) {
    guard let number = section.log(of: place, in: log),
      let index = log.index(of: moment.id, log: number)
    else { return }
    if !hasThread[index], let thread = moment.thread {
      hasThread[index] = threads[number].contains(thread)
    }
    guard let text = moment.text else { return }
    for (bit, value) in values.enumerated() where hasTexts[index] & 1 << UInt64(bit) == 0 {
      if value.isIn(text) { hasTexts[index] |= 1 << UInt64(bit) }
    }
  }

  mutating func append(_ next: consuming ElementFilter, lines: Int) {
    for index in hasTexts.indices {
      hasTexts[index] |= next.hasTexts[index]
      if next.hasThread[index] { hasThread[index] = true }
    }
  }
}

extension SearchText {
  /// Reports whether the search text is in the text of a record, which usually needs no unescaping.
  func isIn(_ text: RawText) -> Bool {
    let bytes = UnsafeBufferPointer(start: text.start, count: text.count)
    if !text.isEscaped, bytes.allSatisfy({ $0 < 0x80 }) { return isIn(bytes) }
    return isIn(text.string)
  }
}
