import InteractiveView
import SystemLibrary
import TraceAnalysis
import TraceFormat
import TraceReports
import TraceWords
import ViewerCommandLine
import ViewerConsole

/// The command `trace-viewer diff OLD NEW`: shows what changed between two runs, on a terminal in
/// the interactive view, and returns an exit code that indicates whether the result became worse.
enum DiffCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    let paths = console.arguments.operands
    guard paths.count == 2 else { throw .missingOperand(.diff) }
    let settings = try LoadedSettings.load(console)
    let opened = paths.map { OpenedLogs(LogPaths([$0]), console) }
    let failure = opened.lazy.compactMap(\.failure).first
    guard opened.allSatisfy(\.isUsable) else { return failure ?? .notALog }
    let sides = zip(paths, opened).map { path, opened in
      LogDiff.Side(
        name: name(path, opened), log: opened.analysis,
        verdict: Verdict(opened.analysis, settings.rules))
    }
    let lanes = LanePatterns(console.arguments)
    // A check of zero lanes would always pass. The rule does not apply to a log that was read only
    // in part, because the unread part may contain the lane.
    if failure == nil { try lanes.requireMatches(in: sides.map(\.log), .diff) }
    let diff = LogDiff(old: sides[0], new: sides[1], failOn: settings.failOn, shows: lanes.matches)
    let format = console.arguments.choice(.format, DiffFormat.self)
    if format == nil, let keyboard = keyboard(console) {
      if let code = show(diff, paths, settings, console, keyboard) { return code }
    } else {
      (format ?? .text).write(diff, console)
    }
    if let failure { return failure }
    switch diff.outcome {
    case .clean: return .clean
    case .findings: return .findings
    case .inconclusive: return .inconclusive
    }
  }

  /// Returns the terminal for the interactive view, or `nil` if the input or the output isn't a
  /// terminal, or if the terminal can't show the view.
  private static func keyboard(_ console: Console) -> (input: Int32, output: Int32)? {
    InteractiveCommand.canShow(console) && console.inputIsTerminal ? console.keyboard() : nil
  }

  /// Shows the interactive view.
  ///
  /// - Returns: The exit code, or `nil` if it is that of the comparison.
  private static func show(
    _ diff: LogDiff, _ paths: [String], _ settings: LoadedSettings, _ console: Console,
    _ keyboard: (input: Int32, output: Int32)
  ) -> ExitCode? {
    let viewer = ComparisonViewer(ComparedLogs(diff), TerminalState(glyphs: console.page.glyphs))
    do {
      return try ComparisonLoop.run(
        viewer, input: keyboard.input, output: keyboard.output,
        depth: InteractiveCommand.depth(console)
      ) { side, session in
        // Standard input was read to its end.
        let files = LogPaths([paths[side.rawValue]]).files
        return files.contains("-")
          ? nil : InteractiveCommand.loop(side, files, settings, console, session)
      }
    } catch {
      console.writeError("Error", "The terminal cannot be used: \(error).")
      return .cannotOpen
    }
  }

  /// Returns what a side of the comparison is called: the folder, or the log.
  private static func name(_ path: String, _ opened: OpenedLogs) -> String {
    if LogPaths.isFolder(path) { return RawPath.shown(path) }
    return opened.analysis.files.first?.name ?? path
  }
}
