import TerminalUI
package import TraceAnalysis
package import TraceWords
package import ViewerConsole

extension ReportFormat {
  /// A Boolean value that indicates whether reports of the format contain the notes of the user.
  package var showsNotes: Bool { self == .markdown || self == .html }

  /// Writes a report. Returns the exit code if the output can't be written.
  package func write(
    _ excerpt: LogExcerpt, _ verdict: Verdict, _ options: ReportOptions, to path: String,
    _ console: Console
  ) throws(LogError) -> ExitCode? {
    let page = console.page
    // Everything that can fail because of the logs runs before the file is opened.
    switch self {
    case .text:
      let lines = try LogReport(excerpt, verdict, options, page: page).lines(page)
      return OutputFile.stream(to: path, console) { output in
        output === console.out.output ? console.write(lines) : console.write(lines, to: output)
      }
    case .json:
      let report = JSONReport(
        figures: try ExcerptFigures(excerpt), verdict: verdict, options: options)
      return OutputFile.stream(to: path, console) { report.write(to: $0) }
    case .markdown:
      let report = try MarkdownReport(excerpt, verdict, options, page: page)
      let text = report.lines.map { $0 + "\n" }.joined()
      return OutputFile.write(text, to: path, console)
    case .html:
      let report = try HTMLReport(excerpt, verdict, options)
      return OutputFile.stream(to: path, console) { report.write(to: $0) }
    }
  }
}

extension DiffFormat {
  package func write(_ diff: LogDiff, _ console: Console) {
    switch self {
    case .text: console.write(DiffView(diff: diff).lines(console.page))
    case .json: console.out.output.write(DiffJSON(diff: diff).text)
    case .markdown: console.out.output.write(DiffMarkdown(diff: diff).text)
    }
  }
}
