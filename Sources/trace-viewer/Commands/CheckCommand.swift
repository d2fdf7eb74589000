internal import ReactiveTrace

/// `trace-viewer check LOG...`: only what is wrong, and an exit code that says so.
enum CheckCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    let paths = console.arguments.operands
    guard !paths.isEmpty else { throw .missingLog(.check) }
    var outcomes: [Verdict.Outcome] = []
    var failure: ExitCode?
    for path in paths {
      do throws(LogError) {
        let log = try OpenedLog(path, console)
        let page = console.page
        let verdict = VerdictView(verdict: log.verdict)
        console.write(verdict.lines(page, name: paths.count > 1 ? log.file.name : nil))
        console.write(SuspectsView(log.analysis, log.verdict, file: log.file).lines(page))
        outcomes.append(log.verdict.outcome)
      } catch {
        let code = OpenedLog.report(error, console)
        failure = failure ?? code
      }
    }
    return failure ?? exitCode(outcomes)
  }

  /// A log that could not be read says nothing, so it counts before any finding; a finding counts before a doubt.
  private static func exitCode(_ outcomes: [Verdict.Outcome]) -> ExitCode {
    if outcomes.contains(.findings) { return .findings }
    return outcomes.contains(.inconclusive) ? .inconclusive : .clean
  }
}
