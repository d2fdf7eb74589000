import TerminalUI
import TraceAnalysis
import TraceFormat

/// What a check came to: all that its formats say.
struct CheckResult {
  let log: LogAnalysis
  let verdict: Verdict
  let settings: LoadedSettings
  /// Files that could not be read.
  let errors: [LogError]
  /// The path of the baseline; nil where none is used.
  let baseline: String?
  /// The findings without those that the baseline knows, and what of the baseline is stale.
  let comparison: Baseline.Comparison
  /// Whether a stale baseline makes the run fail.
  let staleFails: Bool
  /// What was done to the baseline.
  let note: String?
  let code: ExitCode
  /// The findings that count, by place; the gravest first.
  let groups: [CheckedGroup]

  init(
    _ opened: OpenedLogs, _ verdict: Verdict, _ settings: LoadedSettings, baseline: String?,
    _ comparison: Baseline.Comparison, staleFails: Bool, note: String?,
    locator: (Set<String>) -> SourceLocator
  ) {
    log = opened.analysis
    self.verdict = verdict
    self.settings = settings
    let failOn = settings.failOn
    errors = opened.errors
    self.baseline = baseline
    self.comparison = comparison
    self.staleFails = staleFails
    self.note = note
    let (log, findings) = (opened.analysis, comparison.findings)
    let files = Set(findings.compactMap { log.lifecycles[$0.lifecycle].site.file })
    let sources = locator(files)
    groups = CheckedGroup.groups(of: findings, in: log, failOn: failOn, sources)
    let outcome = verdict.outcome(of: findings, failOn: failOn)
    // A log that could not be read says nothing, so it counts before any finding; a finding counts before a doubt.
    if let failure = opened.failure ?? (opened.isUsable ? nil : .notALog) {
      code = failure
    } else if outcome == .findings || (staleFails && !comparison.stale.isEmpty) {
      code = .findings
    } else {
      code = outcome == .inconclusive ? .inconclusive : .clean
    }
  }

  var failOn: Verdict.FailOn { settings.failOn }

  /// What the code says, for reports.
  var outcome: String {
    switch code {
    case .clean: "clean"
    case .findings: "findings"
    case .inconclusive: "inconclusive"
    default: "unreadable"
    }
  }

  /// The verdict, one line of plain text.
  var sentence: String {
    let page = CheckedGroup.page
    guard !log.logs.isEmpty else { return "no log could be read" }
    let words = VerdictView(
      log, verdict, findings: comparison.findings, known: comparison.known,
      stale: comparison.stale.count
    ).line(page).text
    guard !errors.isEmpty else { return words }
    return "\(CountText.make(errors.count, "file")) could not be read; of the others: \(words)"
  }

  /// The findings about each of the logs, by place.
  var groupsByLog: [Int: [CheckedGroup]] {
    var byLog: [Int: [CheckedGroup]] = [:]
    for group in groups {
      let logs = Set(group.findings.map { Int(log.lifecycles[$0.lifecycle].log) })
      for number in logs {
        let ofLog = group.filtered { Int(log.lifecycles[$0.lifecycle].log) == number }
        if let ofLog { byLog[number, default: []].append(ofLog) }
      }
    }
    return byLog
  }
}
