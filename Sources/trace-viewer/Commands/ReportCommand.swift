import TraceAnalysis
import TraceReports
import ViewerCommandLine
import ViewerConsole

/// The command `trace-viewer LOG...`: reports everything about logs.
enum ReportCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    let arguments = console.arguments
    guard !arguments.operands.isEmpty else { throw .missingLog(.report) }
    let paths = LogPaths(arguments.operands)
    let path = arguments[.output] ?? "-"
    if paths.files.contains(where: { OutputFile.isSame(path, as: $0) }) {
      throw .outputIsInput(path, .report)
    }
    let filter = try ReportFilter(arguments)
    let settings = try LoadedSettings.load(console)
    let opened = OpenedLogs(paths, console)
    guard opened.isUsable else { return opened.failure ?? .notALog }
    let chosen = try filter.filter(of: opened.analysis, isWhole: opened.failure == nil)
    do throws(LogError) {
      let verdict = Verdict(opened.analysis, settings.rules)
      let excerpt = try chosen.excerpt(of: opened.analysis, QueryFacts(verdict.findings))
      if excerpt.members.isEmpty, let note = filter.note { console.writeError("Note", note) }
      let format = arguments.choice(.format, ReportFormat.self) ?? .text
      let readsNotes = format.showsNotes && !arguments.has(.noViewFile)
      let noted = ReportNote.notes(
        nextTo: readsNotes ? paths.files : [], opened.analysis, excerpt.times)
      noted.problems.forEach { console.writeError("Note", $0) }
      let failure = try format.write(
        excerpt, verdict, options(arguments, noted.notes),
        to: path, console)
      return failure ?? opened.failure ?? .clean
    } catch {
      return OpenedLogs.report(error, console)
    }
  }

  private static func options(_ arguments: ParsedArguments, _ notes: [ReportNote]) -> ReportOptions
  {
    ReportOptions(
      order: arguments.choice(.sort, ReportOrder.self),
      limit: arguments.count(.limit), notes: notes)
  }
}
