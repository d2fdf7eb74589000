internal import ReactiveTrace

/// All that a report says about one log.
struct LogReport {
  private let header: HeaderView
  private let timeline: TimelineView
  private let table: LifecycleTable
  private let suspects: SuspectsView
  private let verdict: Verdict
  private let isEmpty: Bool

  init(
    _ log: LogAnalysis, _ verdict: Verdict, file: borrowing LogSource, page: Page
  ) throws(LogError) {
    self.verdict = verdict
    isEmpty = log.lifecycles.isEmpty
    header = HeaderView(log: log, verdict: verdict, name: file.name)
    // Only a log without doubts can say that something leaks.
    let leaks = verdict.outcome == .findings ? verdict.findings.map(\.lifecycle.id) : []
    timeline = try TimelineView(log, suspects: Set(leaks), page: page, file: file)
    table = LifecycleTable(log)
    suspects = SuspectsView(log, verdict, file: file)
  }

  func lines(_ page: Page) -> [Line] {
    var lines = header.lines(page) + [Line()]
    guard !isEmpty else {
      return lines
        + page.wrap("The log has no subscriptions. Put .lane(\"name\") into a pipeline to see it.")
    }
    lines += timeline.lines(page) + [Line()]
    lines += table.lines(page) + [Line()]
    lines += page.flow(title(), separator: "  ")
    return lines + suspects.lines(page)
  }

  private func title() -> [Line] {
    let count = CountText.make(verdict.findings.count, "subscription")
    switch verdict.outcome {
    case .clean:
      return [Line("SUSPECTED LEAKS", .bold), Line(VerdictView.clean, Style(color: .green))]
    case .findings:
      return [Line("SUSPECTED LEAKS", .bold), Line("\(count) that nobody disposed")]
    case .inconclusive:
      return [
        Line("STILL ACTIVE WHEN THE LOG STOPS", .bold),
        Line(verdict.findings.isEmpty ? "none" : "\(count), which may or may not leak"),
      ]
    }
  }
}
