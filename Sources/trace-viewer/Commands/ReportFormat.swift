internal import ReactiveTrace

/// A report in the format that the command line names.
struct ReportFormat {
  let excerpt: LogExcerpt
  let verdict: Verdict
  let options: ReportOptions

  /// Returns what to exit with where the output cannot be written.
  func write(to path: String, _ console: Console) throws(LogError) -> ExitCode? {
    let page = console.page
    let lines = try LogReport(excerpt, verdict, options, page: page).lines(page)
    if path == "-" {
      console.write(lines)
      return nil
    }
    return OutputFile.write(to: path, console) { console.write(lines, to: $0) }
  }
}
