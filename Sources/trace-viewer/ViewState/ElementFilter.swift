import TerminalUI
import TraceAnalysis
import TraceFormat

/// Finds the subscriptions with an element on one of some threads, and one with each of some texts.
struct ElementFilter: MergingVisitor {
  private let log: LogAnalysis
  private let filter: ViewFilter
  private let values: [SearchText]
  /// By log: the numbers of the threads that are meant.
  private let threads: [Set<UInt64>]
  private var hasThread: [Bool]
  /// A bit for each of the texts.
  private var hasTexts: [UInt64]
  private var section = SectionCursor()

  init(_ log: LogAnalysis, _ filter: ViewFilter) {
    self.log = log
    self.filter = filter
    // Nobody types more.
    values = filter.values.prefix(64).map { SearchText($0) }
    // A number is one whether the log has a name for it or not.
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
      // Where it was made counts too.
      filter.threads.isEmpty
        || lifecycle.thread.map { threads[Int(lifecycle.log)].contains($0) } ?? false
    }
  }

  /// What the elements of a log say of a filter, by place in the lifecycles; nil where it does not ask them.
  static func included(_ filter: ViewFilter, in log: LogAnalysis) -> [Bool]? {
    guard filter.needsElements else { return nil }
    // What cannot be read has no element.
    return (try? log.scan(ElementFilter(log, filter)))?.found
      ?? Array(repeating: false, count: log.lifecycles.count)
  }

  /// By place in the lifecycles.
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
  /// The text of a record, which is mostly as it stands in the log.
  func isIn(_ text: RawText) -> Bool {
    let bytes = UnsafeBufferPointer(start: text.start, count: text.count)
    if !text.isEscaped, bytes.allSatisfy({ $0 < 0x80 }) { return isIn(bytes) }
    return isIn(text.string)
  }
}
