package import TerminalUI
package import TraceAnalysis
import TraceWords
package import ViewerConsole

/// Everything about one finding.
package struct FindingExplanation {
  private let log: LogAnalysis
  private let group: FindingGroup

  package init(_ log: LogAnalysis, _ group: FindingGroup) {
    self.log = log
    self.group = group
  }

  package func lines(_ page: Page) -> [Line] {
    FindingsView.whole(log, group).lines(page) + [Line()]
      + page.wrap(
        "'\(ProgramInfo.name) explain \(group.fingerprint.rule)' explains the rule.", .dim)
  }

  /// Returns the finding as JSON on one line, of at most 400 tokens.
  package func brief(_ fence: ValueFence?, _ console: Console) -> String {
    let files = group.findings.first.map { EditLocation.files(of: $0, in: log) } ?? []
    let sources = SourceLocator(files, in: console.directory, exists: console.fileExists)
    return BriefFinding(log: log, sources: sources, fence: fence).text(of: group) + "\n"
  }
}
