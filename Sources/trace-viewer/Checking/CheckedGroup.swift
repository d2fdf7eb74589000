import TerminalUI
import TraceAnalysis
import TraceFormat

/// Findings of one rule in one place, in words that any format can take: safe to show, and of a length that people read.
struct CheckedGroup {
  /// How grave reports show it.
  enum Severity: Int, CaseIterable {
    case error, warning
    /// What the log does not prove.
    case unproven
  }

  let fingerprint: Fingerprint
  let findings: [Finding]
  let severity: Severity
  /// Whether it makes the run fail.
  let fails: Bool
  /// Where it was made, from the root of the repository; the log where its source is not known.
  let path: String
  /// From 1.
  let line: Int
  private let log: LogAnalysis
  private let failOn: Verdict.FailOn

  /// What texts are laid out on that a service shows, and not a terminal.
  static let page = Page(width: 100, glyphs: .unicode)
  private static let mostColumns = 160

  private init(
    _ suspects: FindingGroup, _ log: LogAnalysis, _ failOn: Verdict.FailOn, path: String, line: Int
  ) {
    fingerprint = suspects.fingerprint
    findings = suspects.findings
    severity = !suspects.isProven ? .unproven : suspects.level == .error ? .error : .warning
    fails = suspects.findings.contains(where: failOn.isFailed)
    self.path = path
    // More than a service counts.
    self.line = min(max(line, 1), 1_000_000_000)
    self.log = log
    self.failOn = failOn
  }

  /// The gravest first, and among equals in the order of the rule book.
  static func groups(
    of findings: [Finding], in log: LogAnalysis, failOn: Verdict.FailOn, _ sources: SourceLocator
  ) -> [CheckedGroup] {
    let groups = FindingGroup.groups(of: findings, in: log).map { suspects in
      let site = suspects.site
      let place = log.lifecycles[suspects.findings.first?.lifecycle ?? 0].firstPlace
      let path =
        site.file.map { sources.path(ofSource: $0) }
        ?? sources.path(ofFile: log.files[place.file].name)
      return CheckedGroup(suspects, log, failOn, path: path, line: site.line ?? 1)
    }
    return groups.enumerated().sorted { left, right in
      let (first, second) = (left.element.severity.rawValue, right.element.severity.rawValue)
      return (first, left.offset) < (second, right.offset)
    }.map(\.element)
  }

  /// The same with some of its findings only; nil for none.
  func filtered(_ isIncluded: (Finding) -> Bool) -> CheckedGroup? {
    let rest = findings.filter(isIncluded)
    let suspects = FindingGroup.groups(of: rest, in: log).first
    return suspects.map { CheckedGroup($0, log, failOn, path: path, line: line) }
  }

  // MARK: Words

  var lane: String { shown(fingerprint.lane) }
  var function: String { shown(fingerprint.function) }
  var title: String { "\(fingerprint.rule): \(lane)" }

  /// What stays the same while code moves, so that a history can be kept of it.
  var name: String {
    let place = [fingerprint.file, fingerprint.function].filter { !$0.isEmpty }.map(shown)
    return place.isEmpty ? lane : "\(lane) (\(place.joined(separator: " ")))"
  }

  /// What is wrong, in one sentence.
  var message: String {
    let first = findings.first.map { CheckedGroup.page.sentence($0.sentence) } ?? ""
    let others = findings.count - 1
    let more = others > 0 ? ", and \(CountText.number(others)) more" : ""
    let doubt = severity == .unproven ? " (not proven: the log is not whole)" : ""
    return cut(first) + more + doubt
  }

  /// All that a terminal would show of it.
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
