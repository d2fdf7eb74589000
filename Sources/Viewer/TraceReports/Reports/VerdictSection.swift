package import TerminalUI
package import TraceAnalysis
import TraceWords
package import ViewerConsole

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
    for span in line.spans { title.append(span.text, span.style) }
    return [title]
  }
}
