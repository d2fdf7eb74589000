package import TerminalUI
package import TraceAnalysis
import TraceWords
package import ViewerConsole

/// The contents of a report about logs.
struct LogReport {
  private let header: HeaderView
  private let excerpt: ExcerptView
  /// A Boolean value that indicates whether there is something to draw on a timeline.
  private let hasLanes: Bool
  private let timeline: TimelineView
  private let table: LifecycleTable
  private let tasks: TaskTreeView
  private let inspections: [InspectionView]
  private let findings: VerdictSection

  init(
    _ excerpt: LogExcerpt, _ verdict: Verdict, _ options: ReportOptions = ReportOptions(),
    page: Page
  ) throws(LogError) {
    let log = excerpt.log
    let figures = try ExcerptFigures(excerpt).ofSubscriptions
    self.excerpt = ExcerptView(excerpt, verdict)
    hasLanes = !figures.excerpt.members.isEmpty && !log.logs.allSatisfy { $0.inspection != nil }
    header = HeaderView(log: log, verdict: verdict)
    // Only a proven finding may be shown as a leak.
    let leaks = verdict.findings.filter { $0.isProven && $0.level == .error }
      .flatMap { [$0.lifecycle] + $0.consequences }
    timeline = try TimelineView(figures, suspects: Set(leaks), options, page: page)
    table = LifecycleTable(figures, options)
    tasks = TaskTreeView(excerpt, options)
    inspections = InspectionView.all(log, isFull: false)
    findings = VerdictSection(
      log, verdict, FindingsView(log, verdict.groups(of: excerpt), isWhole: excerpt.hasAllTime))
  }

  func lines(_ page: Page) -> [Line] {
    var lines = header.lines(page) + excerpt.lines(page) + [Line()]
    guard !excerpt.excerpt.log.lifecycles.isEmpty || !inspections.isEmpty else {
      guard excerpt.excerpt.log.logs.allSatisfy({ $0.searched == nil }) else {
        return lines + findings.title(page)
      }
      return lines
        + page.wrap("The log has no subscriptions. Add .lane(\"name\") to a pipeline to see it.")
    }
    if hasLanes {
      lines += timeline.lines(page) + [Line()]
      lines += excerpt.caption(page).map { page.wrap($0, .dim) } ?? []
      lines += table.lines(page) + [Line()]
    }
    for inspection in inspections { lines += inspection.lines(page) + [Line()] }
    let tasks = tasks.lines(page)
    if !tasks.isEmpty { lines += tasks + [Line()] }
    return lines + findings.lines(page)
  }
}

/// The end of a report: the verdict, and the findings.
package struct VerdictSection {
  private let verdict: VerdictView
  private let findings: FindingsView

  /// Creates a section with all findings of logs.
  package init(_ log: LogAnalysis, _ verdict: Verdict) {
    self.init(log, verdict, FindingsView(log, verdict.groups))
  }

  init(_ log: LogAnalysis, _ verdict: Verdict, _ findings: FindingsView) {
    self.verdict = VerdictView(log, verdict)
    self.findings = findings
  }

  package func lines(_ page: Page) -> [Line] {
    title(page) + findings.lines(page)
  }

  func title(_ page: Page) -> [Line] {
    var title = Line("FINDINGS", .bold)
    let line = verdict.line(page)
    guard title.columns + 2 + line.columns <= page.width else {
      return [title.cut(to: page.width, ellipsis: "")]
        + page.wrap(line.text, line.spans.first?.style ?? .plain)
    }
    title.append("  ")
    title.append(line)
    return [title]
  }
}
