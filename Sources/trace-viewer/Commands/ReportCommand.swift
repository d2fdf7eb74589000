internal import ReactiveTrace

/// `trace-viewer LOG...`: everything about logs.
enum ReportCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    let paths = console.arguments.operands
    guard !paths.isEmpty else { throw .missingLog(.report) }
    let opened = OpenedLogs(paths, console)
    guard opened.isUsable else { return opened.failure ?? .notALog }
    do throws(LogError) {
      let page = console.page
      let report = try LogReport(opened.analysis, Verdict(opened.analysis), page: page)
      console.write(report.lines(page))
      return opened.failure ?? .clean
    } catch {
      return OpenedLogs.report(error, console)
    }
  }
}
