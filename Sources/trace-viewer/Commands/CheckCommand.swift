internal import ReactiveTrace

/// `trace-viewer check LOG...`: only what is wrong, and an exit code that says so.
enum CheckCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    let paths = console.arguments.operands
    guard !paths.isEmpty else { throw .missingLog(.check) }
    let opened = OpenedLogs(paths, console)
    guard opened.isUsable else { return opened.failure ?? .notALog }
    let verdict = Verdict(opened.analysis)
    let page = console.page
    console.write(FindingsView(opened.analysis, verdict.findings).lines(page))
    console.write(VerdictView(opened.analysis, verdict).lines(page))
    // A log that could not be read says nothing, so it counts before any finding; a finding counts before a doubt.
    if let failure = opened.failure { return failure }
    switch verdict.outcome() {
    case .clean: return .clean
    case .findings: return .findings
    case .inconclusive: return .inconclusive
    }
  }
}
