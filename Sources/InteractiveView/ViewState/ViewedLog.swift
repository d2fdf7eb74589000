import TraceAnalysis
import TraceFormat

/// The shown state of a log: its findings, the subscriptions that pass the filter, and their rows.
///
/// All parts belong together. An index has the same meaning in each of them.
struct ViewedLog: Sendable {
  let snapshot: LogSnapshot
  let verdict: Verdict
  /// The subscriptions that are proven leaks.
  let suspects: Set<Int>
  let spans: LifeSpans
  let excerpt: LogExcerpt
  let outline: TimelineRows
  /// The names that a prompt completes and finds.
  let names: LogNames
  /// Who waits for whom among the tasks that haven't ended.
  let waits: WaitGraph
  let arrangement: Arrangement

  var log: LogAnalysis { snapshot.analysis }

  /// A Boolean value that indicates whether any line of the log is damaged.
  let isDamaged: Bool
  /// The findings about the shown part, with the most severe first.
  let findings: [Finding]
  /// The findings, one for each mistake.
  let groups: [FindingGroup]
  private let findingsBySubscription: SubscriptionFindings
  /// What each lane of the timeline has that a user may look for.
  let laneSigns: [LaneSigns]
  /// The number of active subscriptions in the shown part.
  let shownActive: Int
  /// The number of shown subscriptions, without leaked objects.
  let shownSubscriptions: Int
  /// The number of proven mistakes, and whether there is an error among them.
  let proven: (count: Int, hasError: Bool)

  static let empty = ViewedLog(
    LogSnapshot.empty, RuleSettings(), Arrangement(), isIncluded: nil)

  /// Creates the shown state.
  ///
  /// - Parameter isIncluded: A Boolean value for each index in the lifecycles, or `nil` to include
  ///   all.
  init(
    _ snapshot: LogSnapshot, _ rules: RuleSettings, _ arrangement: Arrangement,
    isIncluded: [Bool]?
  ) {
    self.init(
      snapshot, Verdict(snapshot.analysis, rules), arrangement, isIncluded: isIncluded)
  }

  init(
    _ snapshot: LogSnapshot, _ verdict: Verdict, _ arrangement: Arrangement, isIncluded: [Bool]?
  ) {
    let log = snapshot.analysis
    self.snapshot = snapshot
    self.arrangement = arrangement
    self.verdict = verdict
    let suspects = Set(
      verdict.findings.filter { $0.level == .error && $0.isProven }.flatMap(\.affected))
    self.suspects = suspects
    // If a process was killed or is still running, the active subscriptions are the likely leaks,
    // although nothing is proven.
    let leaks = Set(verdict.findings.filter { $0.level == .error }.flatMap(\.affected))
    let filter = arrangement.filter
    isDamaged = log.sections.contains { $0.damage != Damage() }
    let facts = ViewFilter.Facts(leaks: leaks, findings: verdict.findings)
    let fitting = filter.isEmpty ? nil : filter.resolved(in: log, facts).matches(in: log)
    names = LogNames(log)
    waits = WaitGraph(log)
    let spans = LifeSpans(log)
    self.spans = spans
    let excerpt = LogExcerpt(log) { index in
      (isIncluded.map { $0.indices.contains(index) && $0[index] } ?? true)
        && (fitting.map { $0[index] } ?? true)
    }
    self.excerpt = excerpt
    outline = TimelineRows(
      excerpt, spans, grouping: arrangement.grouping, order: arrangement.order,
      pinned: arrangement.pinned, suspects: suspects)
    findings = excerpt.findings(verdict.findings).mostSevereFirst()
    groups = verdict.groups(of: excerpt)
    findingsBySubscription = SubscriptionFindings(findings)
    laneSigns = LaneSigns.all(outline, excerpt, spans, findings)
    let subscriptions = excerpt.ofSubscriptions.members
    shownActive = subscriptions.count { spans[$0].state == .active }
    shownSubscriptions = subscriptions.count
    proven = (
      groups.count { $0.isProven }, findings.contains { $0.isProven && $0.level == .error }
    )
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
    findingsBySubscription.indices(of: index).map { findings[$0] }
  }

  /// Reports whether the findings are what users want to see first: there are some, and further
  /// records cannot invalidate them.
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
      consider(lane.population.nextEnd(after: time))
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
}
