import TraceAnalysis
import TraceReports
import ViewerCommandLine
import ViewerConsole

/// The command `trace-viewer export LOG...`: writes the contents of logs for other programs.
enum ExportCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    let arguments = console.arguments
    let format = arguments.choice(.exportFormat, ExportFormat.self) ?? .perfetto
    let path = arguments[.output] ?? "-"
    if path == "-", console.out.isTerminal, format.exporter.isBinary {
      throw UsageError(
        .missingOption, .export,
        """
        '--to=\(format.name)' writes binary data, which a terminal cannot show. Name a file with \
        '-o'.
        """
      )
    }
    let paths = LogPaths(arguments.operands)
    if paths.files.contains(where: { OutputFile.isSame(path, as: $0) }) {
      throw .outputIsInput(path, .export)
    }
    let settings = try LoadedSettings.load(console)
    let opened = OpenedLogs(paths, console)
    guard opened.isUsable else { return opened.failure ?? .notALog }
    let filter = try ReportFilter(arguments).filter(
      of: opened.analysis, isWhole: opened.failure == nil)
    let selection: ExportSelection
    do throws(LogError) {
      let verdict = Verdict(opened.analysis, settings.rules)
      let excerpt = try filter.excerpt(of: opened.analysis, QueryFacts(verdict.findings))
      selection = ExportSelection(
        excerpt, filter.times, format.exporter.hasFindings ? verdict : nil, scopes: filter.scopes)
    } catch {
      return OpenedLogs.report(error, console)
    }
    if selection.count == 0, !opened.analysis.lifecycles.isEmpty {
      console.writeError("Warning", "No subscription matches the filter.")
    }
    var readingFailure: ExitCode?
    let writingFailure = OutputFile.stream(to: path, console) { output in
      do throws(LogError) {
        try format.export(selection, to: output)
      } catch {
        readingFailure = OpenedLogs.report(error, console)
      }
    }
    return writingFailure ?? readingFailure ?? opened.failure ?? .clean
  }
}
