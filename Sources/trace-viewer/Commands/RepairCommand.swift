import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceReports
import ViewerCommandLine
import ViewerConsole

/// The command `trace-viewer repair LOG -o OUT`: writes a repaired copy of a damaged log.
enum RepairCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    guard let path = console.arguments.operands.first, let target = console.arguments[.output]
    else { throw .missingOperand(.repair) }
    guard !OutputFile.isSame(target, as: path) else { throw .outputIsInput(target, .repair) }
    do throws(LogError) {
      let file = path == "-" ? try LogSource.standardInput() : try LogSource(path: path)
      // If the log can't be read, the existing contents of the output must survive.
      let (analysis, errors) = try LogAnalysis.read([file])
      if let error = errors.first, !isUnwritten(path, error, console) { throw error }
      return try repair(file, analysis, to: target, console)
    } catch {
      return OpenedLogs.report(error, console)
    }
  }

  /// Reports whether a file that isn't a log is a later file of a log, and is empty because its
  /// process was killed before it wrote the first line.
  private static func isUnwritten(_ path: String, _ error: LogError, _ console: Console) -> Bool {
    let (first, number) = SegmentPath.parse(path)
    return error.code == .empty && number > 1
      && (console.fileExists(first) || console.fileExists(SegmentPath.of(first, number - 1)))
  }

  /// Writes the intact part of a log that was read.
  static func repair(
    _ file: LogSource, _ analysis: LogAnalysis, to target: String, _ console: Console
  ) throws(LogError) -> ExitCode {
    var failure: LogError?
    var tally = RepairTally()
    var records = 0
    let unwritten = OutputFile.stream(to: target, console) { output in
      var repair = LogRepair(file, analysis, to: output)
      do throws(LogError) {
        try repair.run(LogLines(file))
        // Data that the file has lost since it was read would otherwise be missing without a
        // message.
        if let change = ReadContent(analysis).change { throw change }
      } catch {
        failure = error
      }
      (tally, records) = (repair.tally, repair.records)
    }
    if let failure { throw failure }
    if let unwritten { return unwritten }
    if target == "-" {
      console.out.output.flush()
      // The program reports this error when it ends.
      if console.out.output.failure != nil { return .cannotWrite }
    }
    for (word, line, text) in RepairView(tally: tally).sentences {
      console.writeError(word, "\(file.name):\(line): \(text)")
    }
    let written = "\(CountText.make(records, "record")) written."
    console.writeError([Line(analysis.isDamaged ? written : "Nothing to repair. \(written)")])
    return .clean
  }
}
