import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceReports
import TraceWords
import ViewerCommandLine
import ViewerConsole

/// The command `trace-viewer verify LOG...`: checks that logs keep to the format.
enum VerifyCommand {
  /// The maximum number of faults of one file that are reported.
  private static let maxFaults = 20

  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    var console = console
    // All damage is an error.
    console.arguments.set(.strict)
    let opened = OpenedLogs(LogPaths(console.arguments.operands), console)
    guard opened.isUsable else { return opened.failure ?? .notALog }
    var failure = opened.failure
    do throws(LogError) {
      for file in opened.analysis.files {
        let faults = try Conformance(file).faults
        if !faults.isEmpty { failure = failure ?? .notALog }
        report(faults, of: file, console)
      }
    } catch {
      return OpenedLogs.report(error, console)
    }
    if let failure { return failure }
    let isWhole = reportDoubts(opened.analysis, console)
    let size = LogSentences.size(of: opened.analysis)
    console.write([Line(isWhole ? "Valid: \(size)." : "Valid, but incomplete: \(size).")])
    return isWhole ? .clean : .inconclusive
  }

  private static func report(
    _ faults: [Conformance.Fault], of file: LogSource, _ console: Console
  ) {
    for fault in faults.prefix(maxFaults) {
      console.writeError("Error", "\(file.name):\(fault.line): \(LogSentences.fault(fault)).")
    }
    if faults.count > maxFaults {
      let rest = CountText.make(faults.count - maxFaults, "more fault")
      console.writeError("Error", "\(file.name): \(rest).")
    }
  }

  /// Reports what makes logs incomplete. Returns whether there is nothing.
  private static func reportDoubts(_ analysis: LogAnalysis, _ console: Console) -> Bool {
    let verdict = Verdict(analysis, rules: [])
    for (log, doubts) in zip(analysis.logs, verdict.doubts) {
      for doubt in doubts {
        let name = log.names.first ?? log.title
        console.writeError("Warning", "\(name): \(LogSentences.doubt(doubt)).")
      }
    }
    return verdict.isWhole
  }
}
