import Dispatch
import Synchronization
import TraceAnalysis
import TraceFormat

/// A worker that searches a whole log for a string, away from the thread that draws.
final class SearchWorker: Sendable {
  private let queue = DispatchQueue(label: "trace-viewer.search", qos: .userInitiated)
  private let messageQueue: MessageQueue
  /// A number that increases with each search. A search with an earlier number stops.
  private let generation = Atomic(0)

  init(_ messageQueue: MessageQueue) {
    self.messageQueue = messageQueue
  }

  func stop() {
    generation.wrappingAdd(1, ordering: .relaxed)
  }

  func start(_ text: SearchText, in viewed: ViewedLog) {
    let number = generation.wrappingAdd(1, ordering: .relaxed).newValue
    queue.async { self.search(text, viewed, number) }
  }

  private func isCurrent(_ number: Int) -> Bool {
    generation.load(ordering: .relaxed) == number
  }

  private func search(_ text: SearchText, _ viewed: ViewedLog, _ number: Int) {
    guard isCurrent(number) else { return }
    var state = SearchResult(text: text)
    state.revision = viewed.snapshot.revision
    let total = max(1, viewed.log.files.reduce(0) { $0 + $1.size })
    let read = Atomic(0)
    let shown = Atomic(0)
    let progress: @Sendable (Int) -> Void = { [state] bytes in
      let percent = read.wrappingAdd(bytes, ordering: .relaxed).newValue * 100 / total
      let last = shown.load(ordering: .relaxed)
      guard percent >= last + 5,
        shown.compareExchange(expected: last, desired: percent, ordering: .relaxed).exchanged,
        self.isCurrent(number)
      else { return }
      var partial = state
      partial.progress = Double(percent) / 100
      self.messageQueue.post(.searched(partial))
    }
    let scan = SearchScan(viewed, text) { [self] in isCurrent(number) }
    let result = Self.result(scan, text, in: viewed, progress) { self.isCurrent(number) }
    guard isCurrent(number) else { return }
    messageQueue.post(.searched(result))
  }

  /// Searches the whole log and returns all hits.
  static func result(_ text: SearchText, in viewed: ViewedLog) -> SearchResult {
    result(SearchScan(viewed, text) { true }, text, in: viewed)
  }

  private static func result(
    _ scan: SearchScan, _ text: SearchText, in viewed: ViewedLog,
    _ progress: (@Sendable (Int) -> Void)? = nil,
    isWanted: @escaping @Sendable () -> Bool = { true }
  ) -> SearchResult {
    let found = try? ParallelReading(viewed.log.files).read(
      scan, progress: progress, isWanted: isWanted
    ).visitor
    var state = SearchResult(text: text)
    state.revision = viewed.snapshot.revision
    state.hits = SearchScan.beginnings(viewed, text) + (found?.hits ?? [])
    state.isCut = found?.isCut ?? false
    state.hits.sort { ($0.position, $0.lifecycle) < ($1.position, $1.lifecycle) }
    state.members = members(of: state.hits, viewed.log)
    state.isComplete = true
    state.progress = 1
    return state
  }
}

extension SearchWorker {
  /// Returns the subscriptions of hits in ascending order, each once.
  private static func members(of hits: [SearchResult.Hit], _ log: LogAnalysis) -> [Int32] {
    var isMember = Array(repeating: false, count: log.lifecycles.count)
    for hit in hits { isMember[Int(hit.lifecycle)] = true }
    return isMember.indices.lazy.filter { isMember[$0] }.map { Int32(clamping: $0) }
  }
}

/// A visitor that collects the events whose text contains the search string.
struct SearchScan: MergingVisitor {
  private let viewed: ViewedLog
  private let text: SearchText
  private let isWanted: @Sendable () -> Bool
  private var section = SectionCursor()
  private(set) var hits: [SearchResult.Hit] = []
  private(set) var isCut = false
  private var isStopped = false
  private var untilLook = 0

  init(_ viewed: ViewedLog, _ text: SearchText, isWanted: @escaping @Sendable () -> Bool) {
    self.viewed = viewed
    self.text = text
    self.isWanted = isWanted
  }

  mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {
    if let moment = record.body.moment?.moment { visitElement(moment, at: record.time, location) }
  }

  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    if untilLook == 0 {
      untilLook = 10_000
      isStopped = !isWanted()
    }
    untilLook -= 1
    guard !isStopped, let raw = moment.text, text.isIn(raw),
      let number = section.log(of: location, in: viewed.log),
      let index = viewed.log.index(of: moment.id, log: number), viewed.excerpt.contains(index)
    else { return }
    guard hits.count < SearchResult.maxHits else {
      isCut = true
      return
    }
    hits.append(
      SearchResult.Hit(
        time: time.after(viewed.log.logs[number].offset), location: location,
        lifecycle: Int32(clamping: index)))
  }

  mutating func append(_ next: consuming SearchScan, lines: Int) {
    let room = SearchResult.maxHits - hits.count
    hits += next.hits.prefix(room)
    isCut = isCut || next.isCut || next.hits.count > room
  }

  /// Returns the number in a search text such as `#7` or `#7 of Shop`, as findings print it, or
  /// nil.
  private static func number(in text: SearchText) -> UInt64? {
    guard text.text.hasPrefix("#") else { return nil }
    return UInt64(text.text.dropFirst().prefix { $0 != " " })
  }

  /// Returns the beginnings of subscriptions whose lanes or sources contain the search text, or
  /// whose number it is.
  static func beginnings(_ viewed: ViewedLog, _ text: SearchText) -> [SearchResult.Hit] {
    let number = number(in: text)
    var known: [ObjectIdentifier: Bool] = [:]
    var hits: [SearchResult.Hit] = []
    for index in viewed.excerpt.members where hits.count < SearchResult.maxHits {
      let lifecycle = viewed.log.lifecycles[index]
      let site = lifecycle.site
      let id = ObjectIdentifier(site)
      let fits = known[id] ?? (text.isIn(site.lane) || (site.source.map(text.isIn) ?? false))
      known[id] = fits
      guard fits || number == lifecycle.id.number && viewed.log.isNamed(lifecycle, text.text) else {
        continue
      }
      hits.append(
        SearchResult.Hit(
          time: lifecycle.start, location: lifecycle.firstLocation,
          lifecycle: Int32(clamping: index)))
    }
    return hits
  }
}

extension LogAnalysis {
  /// Returns whether a subscription has a name, which may be without its process.
  fileprivate func isNamed(_ lifecycle: Lifecycle, _ name: String) -> Bool {
    name == "\(lifecycle.id)" || name == self.name(of: lifecycle)
  }
}
