import TerminalUI
import TraceAnalysis
import TraceFormat

/// What is shown of a log that was read so far: its findings, the subscriptions that the filter lets through, and their rows.
///
/// All of it belongs together: places in one part mean the same in the others.
struct ViewedLog: Sendable {
  let snapshot: LogSnapshot
  let verdict: Verdict
  /// Subscriptions that are proven leaks.
  let suspects: Set<Int>
  let spans: LifeSpans
  let excerpt: LogExcerpt
  let outline: TimelineRows
  let arrangement: Arrangement

  var log: LogAnalysis { snapshot.analysis }

  /// Whether anything is wrong with lines of the log.
  let isDamaged: Bool
  /// Findings about what is shown, the gravest and most certain first.
  let findings: [Finding]
  /// How many of what is shown is active.
  let shownActive: Int
  /// How many of them are proven, and whether there is an error among those.
  let proven: (count: Int, hasError: Bool)

  static let empty = ViewedLog(
    LogSnapshot.empty, RuleSettings(), Arrangement(), isIncluded: nil)

  /// - Parameter isIncluded: by place in the lifecycles; nil for all.
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
      verdict.findings.filter { $0.level == .error && $0.isProven }.flatMap(\.members))
    self.suspects = suspects
    // Where a process was killed or still runs, what is active is what one looks for, though nothing is proven.
    let leaks = Set(verdict.findings.filter { $0.level == .error }.flatMap(\.members))
    let filter = arrangement.filter
    isDamaged = log.sections.contains { $0.damage != Damage() }
    let isOpen = filter.isEmpty
    let spans = LifeSpans(log)
    self.spans = spans
    let excerpt = LogExcerpt(log, start: .zero, end: log.duration) { index in
      (isIncluded.map { $0.indices.contains(index) && $0[index] } ?? true)
        && (isOpen || filter.fits(index, in: log, leaks: leaks))
    }
    self.excerpt = excerpt
    outline = TimelineRows(
      excerpt, spans, grouping: arrangement.grouping, order: arrangement.order, suspects: suspects)
    findings = excerpt.findings(verdict.findings).enumerated().sorted { left, right in
      let (first, second) = (ViewedLog.weight(left.element), ViewedLog.weight(right.element))
      return (second, left.offset) < (first, right.offset)
    }.map(\.element)
    shownActive = excerpt.members.count { spans[$0].state == .active }
    proven = (
      findings.count { $0.isProven }, findings.contains { $0.isProven && $0.level == .error }
    )
  }

  private static func weight(_ finding: Finding) -> Int {
    (finding.isProven ? 2 : 0) + (finding.level == .error ? 1 : 0)
  }
}

/// How what is shown is chosen and arranged.
struct Arrangement: Equatable, Sendable {
  var filter = ViewFilter()
  var grouping = Grouping.parent
  var order = ListOrder.time
}
