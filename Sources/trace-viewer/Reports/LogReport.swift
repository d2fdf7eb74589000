internal import ReactiveTrace

/// All that a report says about logs.
struct LogReport {
  private let header: HeaderView
  private let timeline: TimelineView
  private let table: LifecycleTable
  private let findings: FindingsView
  private let verdict: VerdictView
  private let isEmpty: Bool

  init(_ log: LogAnalysis, _ verdict: Verdict, page: Page) throws(LogError) {
    self.verdict = VerdictView(log, verdict)
    isEmpty = log.lifecycles.isEmpty
    header = HeaderView(log: log, verdict: verdict)
    // Only what is proven can be shown as a leak.
    let leaks = verdict.findings.filter { $0.isProven && $0.level == .error }.map(\.lifecycle)
    timeline = try TimelineView(log, suspects: Set(leaks), page: page)
    table = LifecycleTable(log)
    findings = FindingsView(log, verdict.findings)
  }

  func lines(_ page: Page) -> [Line] {
    var lines = header.lines(page) + [Line()]
    guard !isEmpty else {
      return lines
        + page.wrap("The log has no subscriptions. Put .lane(\"name\") into a pipeline to see it.")
    }
    lines += timeline.lines(page) + [Line()]
    lines += table.lines(page) + [Line()]
    lines += title(page)
    return lines + findings.lines(page)
  }

  private func title(_ page: Page) -> [Line] {
    var title = Line("FINDINGS", .bold)
    let line = verdict.line(page)
    guard title.columns + 2 + line.columns <= page.width else {
      return [title.cut(to: page.width, ellipsis: "")]
        + page.wrap(line.text, line.spans.first?.style ?? .plain)
    }
    title.append("  ")
    for span in line.spans { title.append(span.text, span.style) }
    return [title]
  }
}
