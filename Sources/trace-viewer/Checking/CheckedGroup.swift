import TerminalUI
import TraceAnalysis
import TraceFormat

/// The findings of one rule at one location, with texts for any output format. The texts are safe
/// to show and short enough to read.
struct CheckedGroup {
  let fingerprint: Fingerprint
  let findings: [Finding]
  let severity: Severity
  /// A Boolean value that indicates whether the group makes the run fail.
  let fails: Bool
  /// The source file of the subscription, relative to the root of the repository, or the log if the
  /// source is not known.
  let path: String
  /// The line number, from 1.
  let line: Int
  private let log: LogAnalysis
  private let failOn: Verdict.FailOn

  /// The page for texts that a service shows instead of a terminal.
  static let page = Page(width: 100, glyphs: .unicode)
  private static let mostColumns = 160

  private init(
    _ suspects: FindingGroup, _ log: LogAnalysis, _ failOn: Verdict.FailOn, path: String, line: Int
  ) {
    fingerprint = suspects.fingerprint
    findings = suspects.findings
    severity = suspects.severity
    fails = suspects.findings.contains(where: failOn.isFailed)
    self.path = path
    // Services do not count lines beyond this.
    self.line = min(max(line, 1), 1_000_000_000)
    self.log = log
    self.failOn = failOn
  }

  /// Returns the groups of some findings, most severe first. Groups of equal severity have the
  /// order of the rule book.
  static func groups(
    of findings: [Finding], in log: LogAnalysis, failOn: Verdict.FailOn, _ sources: SourceLocator
  ) -> [CheckedGroup] {
    FindingGroup.groups(of: findings, in: log).mostSevereFirst().map { suspects in
      let site = suspects.site
      let record = log.lifecycles[suspects.findings.first?.lifecycle ?? 0].firstLocation
      let path =
        site.file.map { sources.path(ofSource: $0) }
        ?? sources.path(ofFile: log.files[record.file].name)
      return CheckedGroup(suspects, log, failOn, path: path, line: site.line ?? 1)
    }
  }

  /// Returns the group with only the findings that match, or `nil` if there are none.
  func filtered(_ isIncluded: (Finding) -> Bool) -> CheckedGroup? {
    let rest = findings.filter(isIncluded)
    let suspects = FindingGroup.groups(of: rest, in: log).first
    return suspects.map { CheckedGroup($0, log, failOn, path: path, line: line) }
  }

  // MARK: Words

  var lane: String { shown(fingerprint.lane) }
  var function: String { shown(fingerprint.function) }
  var title: String { "\(fingerprint.rule): \(lane)" }

  /// The name of the group. It does not change when code moves, so that a service can keep a
  /// history of it.
  var name: String {
    let location = [fingerprint.file, fingerprint.function].filter { !$0.isEmpty }.map(shown)
    return location.isEmpty ? lane : "\(lane) (\(location.joined(separator: " ")))"
  }

  /// The problem in one sentence.
  var message: String {
    let first = findings.first.map { CheckedGroup.page.sentence($0.sentence) } ?? ""
    let others = findings.count - 1
    let more = others > 0 ? ", and \(CountText.number(others)) more" : ""
    let doubt = severity == .unproven ? " (not proven: the log is incomplete)" : ""
    return cut(first) + more + doubt
  }

  /// The full text that a terminal would show for the group.
  var details: String {
    FindingsView(log, findings).lines(CheckedGroup.page)
      .map { $0.render(color: false, setsColumn: false) }.joined(separator: "\n")
  }

  private func shown(_ text: String) -> String {
    cut(CheckedGroup.page.safe(text))
  }

  private func cut(_ text: String) -> String {
    CheckedGroup.page.cutMiddle(text, to: CheckedGroup.mostColumns)
  }
}
