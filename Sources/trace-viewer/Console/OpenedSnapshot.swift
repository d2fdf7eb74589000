import TerminalUI
import TraceAnalysis

/// Logs that were read to their ends, with an index of their events, and what has to be said about their files.
struct OpenedSnapshot {
  private(set) var snapshot = LogSnapshot.empty
  /// What to exit with because a file could not be read; nil where all is well.
  private(set) var failure: ExitCode?

  /// Whether there is anything to show.
  var isUsable: Bool { !snapshot.analysis.logs.isEmpty }

  init(_ paths: [String], _ console: Console) {
    let log = GrowingLog(paths: paths, follows: false)
    do throws(LogError) {
      while let next = try log.advance() { snapshot = next }
    } catch {
      failure = OpenedLogs.report(error, console)
      return
    }
    for error in snapshot.errors {
      let code = OpenedLogs.report(error, console)
      failure = failure ?? code
    }
    let isDamaged = OpenedLogs.warn(snapshot.analysis, console)
    if isDamaged, console.arguments.has(.strict) { failure = failure ?? .notALog }
  }
}
