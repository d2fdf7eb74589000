import TraceAnalysis
import TraceFormat

/// The shown state of a log: its findings, the subscriptions that pass the filter, and their rows.
///
/// All parts belong together. An index has the same meaning in each of them.
struct ViewedLog: Sendable {
  let judged: JudgedLog
  private let shown: FilteredLog
  let spans: LifeSpans
  let outline: TimelineRows
  let arrangement: Arrangement
  /// The findings, failures and hits of each lane of the timeline.
  let laneSigns: [LaneSigns]

  var snapshot: LogSnapshot { judged.snapshot }
  var verdict: Verdict { judged.verdict }
  var suspects: Set<Int> { judged.suspects }
  var names: LogNames { judged.names }
  var waits: WaitGraph { judged.waits }
  var awaited: AwaitedLanes { judged.awaited }
  var isDamaged: Bool { judged.isDamaged }
  var log: LogAnalysis { judged.log }
  var excerpt: LogExcerpt { shown.excerpt }
  var findings: [Finding] { shown.findings }
  var groups: [FindingGroup] { shown.groups }
  var shownActive: Int { shown.active }
  var shownSubscriptions: Int { shown.subscriptions }
  var proven: (count: Int, hasError: Bool) { shown.proven }
  var overview: ActivityOverview { shown.overview }

  static let empty = ViewedLog(LogSnapshot.empty, RuleSettings(), Arrangement())

  /// Creates the shown state. It reads the log again if the filter asks for events.
  init(_ snapshot: LogSnapshot, _ rules: RuleSettings, _ arrangement: Arrangement) {
    let judged = JudgedLog(arrangement.onAxis(snapshot), rules)
    let events = try? arrangement.filter.query.events(in: judged.log, judged.facts)
    self.init(judged, FilteredLog(judged, arrangement.filter, events), arrangement)
  }

  /// Creates the shown state from the part that passes the filter of the arrangement.
  init(_ judged: JudgedLog, _ shown: FilteredLog, _ arrangement: Arrangement) {
    self.judged = judged
    self.shown = shown
    self.arrangement = arrangement
    spans = LifeSpans(judged.log)
    outline = TimelineRows(
      shown.excerpt, spans, grouping: arrangement.grouping,
      order: arrangement.order, pinned: arrangement.pinned, suspects: judged.suspects)
    laneSigns = LaneSigns.all(outline, shown)
  }

  /// Returns a summary of each lane, for a range of times or for the whole time. For a range, it
  /// reads the log again, and returns nil if that fails.
  func summaries(in range: TimeRange?) -> [LaneSummary]? {
    guard let range else { return LaneSummary.lanes(of: excerpt, snapshot.elements) }
    let shown = excerpt.ofSubscriptions
    let part = LogExcerpt(log, range) { index in
      let span = spans[index]
      return shown.contains(index) && span.start <= range.end && span.last >= range.start
    }
    return (try? ExcerptFigures(part)).map { LaneSummary.lanes(of: $0, snapshot.elements) }
  }

  /// Returns what grew in a range of times in the shown part. Instances don't pass a filter.
  func growth(in range: TimeRange) -> [Increase] {
    Increase.found(in: excerpt, range, includesInstances: excerpt.hasAllSubscriptions)
  }

  /// Returns the findings about a subscription, and those that have it as a consequence.
  func findings(of index: Int) -> [Finding] {
    shown.findingsBySubscription.indices(of: index).map { findings[$0] }
  }

  /// Reports whether the findings are what users want to see first: there are some, and further
  /// records can't invalidate them.
  func callsForFindings(_ reading: ReadingState) -> Bool {
    proven.count > 0 || (!findings.isEmpty && reading.isComplete && !reading.follows)
  }

  /// Returns the time of the next event in the shown part, or `nil` after the last event.
  ///
  /// Beginnings, elements and ends count, for subscriptions that are alive at the time or begin
  /// next.
  func nextMoment(after time: Nanoseconds) -> Nanoseconds? {
    var next: Nanoseconds?
    func consider(_ moment: Nanoseconds?) {
      if let moment, moment > time, next.map({ moment < $0 }) ?? true { next = moment }
    }
    for lane in outline.lanes {
      let begun = lane.members.partitionPoint { spans[$0].start > time }
      if begun < lane.members.count { consider(log.lifecycles[lane.members[begun]].start) }
      consider(lane.layout.population.nextEnd(after: time))
      for index in lane.members[..<begun] where log.lifecycles[index].isAlive(at: time) {
        consider(snapshot.elements.next(after: time, of: index))
      }
    }
    return next
  }

  /// Returns the next or the previous failure in the shown part, if any.
  ///
  /// - Parameter chosen: The selected subscription, which distinguishes failures at the same time.
  func failure(
    _ forward: Bool, from time: Nanoseconds, chosen: Int?
  ) -> (time: Nanoseconds, index: Int)? {
    var best: (time: Nanoseconds, index: Int)?
    for index in excerpt.members where log.lifecycles[index].state == .failed {
      guard let end = log.lifecycles[index].end else { continue }
      let isLater = end > time || (end == time && index > (chosen ?? -1))
      let isEarlier = end < time || (end == time && index < (chosen ?? .max))
      guard forward ? isLater : isEarlier else { continue }
      guard let found = best else {
        best = (end, index)
        continue
      }
      if forward ? (end, index) < found : (end, index) > found { best = (end, index) }
    }
    return best
  }
}

/// The filter, grouping and order of the shown part.
struct Arrangement: Equatable, Sendable {
  var filter = ViewFilter()
  var grouping = Grouping.parent
  var order = ListOrder.time
  /// The names of the lanes at the top.
  var pinned: [String] = []
  /// A Boolean value that indicates whether each of several logs begins at time 0; nil to decide by
  /// whether they are runs at different times.
  var alignsStarts: Bool?

  /// Returns a snapshot on the time axis of the arrangement.
  func onAxis(_ snapshot: LogSnapshot) -> LogSnapshot {
    guard !snapshot.isAligned, snapshot.analysis.logs.count > 1,
      alignsStarts ?? snapshot.hasSeparateRuns
    else { return snapshot }
    return snapshot.aligned
  }
}

/// The criterion by which the rows of a timeline are grouped.
enum Grouping: String, CaseIterable, Sendable {
  /// Lanes are below the lanes that they were made for.
  case parent
  case source, scope, thread, state, process, log
}

/// The order in which lanes and subscriptions are listed.
enum ListOrder: String, CaseIterable, Sendable {
  case time, lane, elements, life, state
}

extension CaseIterable where Self: Equatable {
  /// The next case, or the first one after the last.
  var next: Self {
    stepped(by: 1)
  }

  /// The previous case, or the last one before the first.
  var previous: Self {
    stepped(by: Self.allCases.count - 1)
  }

  private func stepped(by distance: Int) -> Self {
    let all = Array(Self.allCases)
    let index = all.firstIndex(of: self) ?? 0
    return all[(index + distance) % all.count]
  }
}

/// The findings, failures and hits of a lane of the timeline, which keys jump to.
struct LaneSigns: OptionSet, Sendable {
  let rawValue: UInt8

  static let finding = LaneSigns(rawValue: 1)
  static let failure = LaneSigns(rawValue: 2)
  static let hit = LaneSigns(rawValue: 4)

  /// Returns the findings and the failures of each lane.
  static func all(_ outline: TimelineRows, _ shown: FilteredLog) -> [LaneSigns] {
    var signs = Array(repeating: LaneSigns(), count: outline.lanes.count)
    func note(_ sign: LaneSigns, _ index: Int) {
      if let item = outline.item(of: index) { signs[item.lane].insert(sign) }
    }
    for index in shown.excerpt.members(in: .failed) { note(.failure, index) }
    for finding in shown.findings {
      ([finding.lifecycle] + finding.others).forEach { note(.finding, $0) }
    }
    return signs
  }
}
