internal import ReactiveTrace

/// `trace-viewer LOG`: everything about one log.
enum ReportCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    guard let path = console.arguments.operands.first else { throw .missingLog(.report) }
    if console.arguments.operands.count > 1 {
      throw .extraOperand(console.arguments.operands[1], .report)
    }
    do throws(LogError) {
      let log = try OpenedLog(path, console)
      let page = console.page
      let report = try LogReport(log.analysis, log.verdict, file: log.file, page: page)
      console.write(report.lines(page))
      return .clean
    } catch {
      return OpenedLog.report(error, console)
    }
  }
}
