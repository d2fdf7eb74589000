import SystemLibrary
import TerminalUI
package import TraceAnalysis
import TraceWords
package import ViewerConsole

/// The result of a check, with everything that its output formats show.
package struct CheckResult {
  let log: LogAnalysis
  let verdict: Verdict
  let settings: LoadedSettings
  /// The files that could not be read, and damage that `--strict` rejects.
  let errors: [LogError]
  /// The path of the baseline, or `nil` if none is used.
  let baseline: String?
  /// The findings that the baseline does not cover, and the stale entries of the baseline.
  let comparison: Baseline.Comparison
  /// A Boolean value that indicates whether a stale baseline makes the run fail.
  let staleFails: Bool
  /// A sentence about the changes to the baseline.
  let note: String?
  /// The outcome for the logs: clean, findings, inconclusive or unreadable.
  let outcome: String
  /// The exit code of the program, unless a report can't be written.
  package let code: ExitCode
  /// The tests or the command that did not end.
  let hangs: [CheckedHang]
  /// The findings that count, grouped by location, most severe first.
  let groups: [CheckedGroup]

  package init(
    _ opened: OpenedLogs, _ verdict: Verdict, _ settings: LoadedSettings, baseline: String?,
    _ comparison: Baseline.Comparison, known: Int, unknown: Int, staleFails: Bool, note: String?,
    baselineFailure: ExitCode? = nil, hang: RunHang? = nil, locator: (Set<String>) -> SourceLocator
  ) {
    log = opened.analysis
    self.verdict = verdict
    self.settings = settings
    let failOn = settings.failOn
    errors = opened.errors
    self.baseline = baseline.map(RawPath.shown)
    self.comparison = comparison
    self.known = known
    self.unknown = unknown
    self.staleFails = staleFails
    self.note = note
    let (log, findings) = (opened.analysis, comparison.findings)
    let files = CheckedGroup.files(of: findings, in: log).union(CheckedHang.files(of: hang))
    let sources = locator(files)
    groups = verdict.groups(of: findings, in: log).map {
      CheckedGroup($0, log, failOn, sources)
    }
    hangs = CheckedHang.all(of: hang, sources)
    let proven = verdict.outcome(of: findings, failOn: failOn)
    let judged: ExitCode
    // An unreadable log proves nothing, so it takes precedence over findings. A finding takes
    // precedence over a doubt.
    if !hangs.isEmpty {
      judged = .timedOut
    } else if let failure = opened.failure
      ?? (opened.isUsable || opened.needsNoLog ? nil : .notALog)
    {
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
    case .timedOut: "hang"
    default: "unreadable"
    }
  }

  /// The verdict as one line of plain text.
  var sentence: String {
    guard hangs.isEmpty else { return hangSentence }
    let page = CheckedGroup.page
    guard !log.logs.isEmpty else { return errors.isEmpty ? "no log" : "no log could be read" }
    let words = verdictView.line(page).text
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

  package var hasFindings: Bool { !groups.isEmpty }
  /// The id of the most urgent finding.
  package var firstID: FindingID? { groups.first?.id }
  /// The number of findings that the baseline covers.
  let known: Int
  /// The number of entries of the baseline about lanes that the logs do not have.
  let unknown: Int

  var verdictView: VerdictView {
    VerdictView(
      log, verdict, groups: groups.map(\.group), known: known, stale: comparison.stale.count)
  }

  private var hangSentence: String {
    let count = hangs.reduce(0) { $0 + $1.names.count }
    return count == 1 ? hangs[0].sentence : "\(CountText.make(count, "test")) did not end"
  }
}
