import TraceAnalysis

/// A state of a log with its findings, and what views need to know about all of it.
struct JudgedLog: Sendable {
  let snapshot: LogSnapshot
  let verdict: Verdict
  /// The subscriptions that are proven leaks.
  let suspects: Set<Int>
  /// The names that a prompt completes and finds.
  let names: LogNames
  /// Who waits for whom among the tasks that haven't ended.
  let waits: WaitGraph
  /// The lanes that these tasks wait for.
  let awaited: AwaitedLanes
  /// A Boolean value that indicates whether any line of the log is damaged.
  let isDamaged: Bool
  let facts: QueryFacts
  /// The subscriptions that are or may be leaks.
  let leaks: Set<Int>

  var log: LogAnalysis { snapshot.analysis }

  init(_ snapshot: LogSnapshot, _ rules: RuleSettings) {
    let log = snapshot.analysis
    let verdict = Verdict(log, rules)
    self.snapshot = snapshot
    self.verdict = verdict
    let errors = verdict.findings.filter { $0.level == .error }
    suspects = Set(errors.lazy.filter(\.isProven).flatMap(\.affected))
    // If a process was killed or is still running, the active subscriptions are the likely leaks,
    // although nothing is proven.
    leaks = Set(errors.flatMap(\.affected))
    facts = QueryFacts(verdict.findings)
    isDamaged = log.sections.contains { $0.damage != Damage() }
    names = LogNames(log)
    waits = WaitGraph(log)
    awaited = AwaitedLanes(log, waits)
  }

  /// Returns the subscriptions that pass a filter.
  ///
  /// - Parameter events: What the filter needs to know about events, or `nil` if the log can't be
  ///   read, and has no matching events.
  fileprivate func excerpt(_ filter: ViewFilter, _ events: QueryEvents?) -> LogExcerpt {
    guard !filter.isEmpty else { return LogExcerpt(log) }
    guard let events else { return LogExcerpt(log) { _ in false } }
    let isSelected = filter.query.matches(in: log, facts, events: events)
    return LogExcerpt(log) { isSelected[$0] && (!filter.leaksOnly || leaks.contains($0)) }
  }

  /// Returns the number of subscriptions that pass a filter, or `nil` if the log can't be read.
  ///
  /// - Parameter isWanted: A function that returns false to stop reading.
  func count(_ filter: ViewFilter, isWanted: @escaping @Sendable () -> Bool) -> Int? {
    let events = try? filter.query.events(in: log, facts, isWanted: isWanted)
    return events.map { excerpt(filter, $0).ofSubscriptions.members.count }
  }
}

/// The part of a log that passes a filter, and the findings about it.
struct FilteredLog: Sendable {
  let excerpt: LogExcerpt
  /// The findings about the part, with the most severe first.
  let findings: [Finding]
  /// The findings, one for each mistake.
  let groups: [FindingGroup]
  let findingsBySubscription: SubscriptionFindings
  /// The number of active subscriptions.
  let active: Int
  /// The number of subscriptions, without leaked objects.
  let subscriptions: Int
  /// The number of proven mistakes, and whether there is an error among them.
  let proven: (count: Int, hasError: Bool)
  let overview: ActivityOverview

  init(_ judged: JudgedLog, _ filter: ViewFilter, _ events: QueryEvents?) {
    let excerpt = judged.excerpt(filter, events)
    self.excerpt = excerpt
    findings = excerpt.findings(judged.verdict.findings).mostSevereFirst()
    groups = judged.verdict.groups(of: excerpt)
    findingsBySubscription = SubscriptionFindings(findings)
    let subscriptions = excerpt.ofSubscriptions
    active = subscriptions.count(in: .active)
    self.subscriptions = subscriptions.members.count
    overview = ActivityOverview(subscriptions, judged.snapshot.elements)
    proven = (groups.count { $0.isProven }, findings.contains { $0.isProven && $0.level == .error })
  }
}

/// The findings about each subscription, and those that have it as a consequence.
///
/// It is one array, because a table with an array for each subscription takes 50 ms to free when a
/// log has 200,000 findings, and the thread that draws may have to wait for it.
struct SubscriptionFindings: Sendable {
  private struct Entry {
    let subscription: UInt32
    let finding: UInt32
  }

  /// The entries, in the order of subscriptions and then of findings.
  private let entries: [Entry]

  init(_ findings: [Finding]) {
    var entries: [Entry] = []
    entries.reserveCapacity(findings.count)
    for (number, finding) in findings.enumerated() {
      func add(_ index: Int) {
        entries.append(
          Entry(subscription: UInt32(clamping: index), finding: UInt32(clamping: number)))
      }
      add(finding.lifecycle)
      finding.others.forEach(add)
      finding.consequences.forEach(add)
    }
    entries.sort { ($0.subscription, $0.finding) < ($1.subscription, $1.finding) }
    self.entries = entries
  }

  /// Returns the indices of the findings about a subscription, ascending.
  func indices(of subscription: Int) -> [Int] {
    let first = entries.partitionPoint { $0.subscription >= subscription }
    return entries[first...].prefix { $0.subscription == subscription }.map { Int($0.finding) }
  }
}
