internal import ReactiveTrace

/// What a check came to: all that its formats say.
struct CheckResult {
  let log: LogAnalysis
  let verdict: Verdict
  let settings: LoadedSettings
  /// Files that could not be read, and damage that `--strict` refuses.
  let errors: [LogError]
  /// The path of the baseline; nil where none is used.
  let baseline: String?
  /// The findings without those that the baseline knows, and what of the baseline is stale.
  let comparison: Baseline.Comparison
  /// Whether a stale baseline makes the run fail.
  let staleFails: Bool
  /// What was done to the baseline.
  let note: String?
  /// The result for the logs alone: clean, findings, inconclusive or unreadable.
  let outcome: String
  /// The exit code of the program, unless a report cannot be written.
  let code: ExitCode
  /// The findings that count, by place; the gravest first.
  let groups: [CheckedGroup]

  init(
    _ opened: OpenedLogs, _ verdict: Verdict, _ settings: LoadedSettings, baseline: String?,
    _ comparison: Baseline.Comparison, staleFails: Bool, note: String?,
    baselineFailure: ExitCode? = nil, locator: (Set<String>) -> SourceLocator
  ) {
    log = opened.analysis
    self.verdict = verdict
    self.settings = settings
    let failOn = settings.failOn
    errors = opened.errors
    self.baseline = baseline.map(RawPath.shown)
    self.comparison = comparison
    self.staleFails = staleFails
    self.note = note
    let (log, findings) = (opened.analysis, comparison.findings)
    let files = Set(findings.compactMap { log.lifecycles[$0.lifecycle].site.file })
    let sources = locator(files)
    groups = CheckedGroup.groups(of: findings, in: log, failOn: failOn, sources)
    let proven = verdict.outcome(of: findings, failOn: failOn)
    let judged: ExitCode
    // A log that could not be read says nothing, so it counts before any finding; a finding counts before a doubt.
    if let failure = opened.failure ?? (opened.isUsable ? nil : .notALog) {
      judged = failure
    } else if proven == .findings || (staleFails && !comparison.stale.isEmpty) {
      judged = .findings
    } else {
      judged = proven == .inconclusive ? .inconclusive : .clean
    }
    outcome = CheckResult.word(judged)
    code = baselineFailure ?? judged
  }

  var failOn: Verdict.FailOn { settings.failOn }

  private static func word(_ code: ExitCode) -> String {
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
    let unreadable = errors.count { !$0.isDamage }
    let damaged = Set(errors.filter(\.isDamage).map(\.file)).count
    var troubles: [String] = []
    if unreadable > 0 { troubles.append("\(CountText.make(unreadable, "file")) could not be read") }
    if damaged > 0 {
      troubles.append("\(CountText.make(damaged, "file")) \(damaged == 1 ? "is" : "are") damaged")
    }
    guard !troubles.isEmpty else { return words }
    let rest = unreadable > 0 ? "the others" : "what was read"
    return "\(troubles.joined(separator: ", ")); of \(rest): \(words)"
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
