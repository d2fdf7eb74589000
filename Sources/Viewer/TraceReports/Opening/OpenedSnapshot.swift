package import TraceAnalysis
package import ViewerConsole

/// The logs that were read to their ends, with an index of their events, and the problems with
/// their files.
package struct OpenedSnapshot {
  package private(set) var snapshot = LogSnapshot.empty
  /// The exit code if a file could not be read, or if `--strict` is on and a file is damaged;
  /// otherwise `nil`.
  package private(set) var failure: ExitCode?

  /// A Boolean value that indicates whether there is anything to show.
  package var isUsable: Bool { !snapshot.analysis.logs.isEmpty }

  package init(_ paths: LogPaths, _ console: Console) {
    for error in paths.errors {
      let code = OpenedLogs.report(error, console)
      failure = failure ?? code
    }
    guard !paths.files.isEmpty else { return }
    let log = GrowingLog(paths: paths.files, follows: false)
    do throws(LogError) {
      while let next = try log.advance() { snapshot = next }
    } catch {
      failure = OpenedLogs.report(error, console)
      return
    }
    MemoryOfReading.giveBack()
    for error in snapshot.errors {
      let code = OpenedLogs.report(error, console)
      failure = failure ?? code
    }
    let isDamaged = OpenedLogs.warn(snapshot.analysis, console)
    if isDamaged, console.arguments.has(.strict) { failure = failure ?? .notALog }
  }
}
