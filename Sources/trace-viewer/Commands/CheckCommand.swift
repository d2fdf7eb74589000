import InspectionReports
import InteractiveView
import TraceAnalysis
import TraceReports
import ViewerCommandLine
import ViewerConsole

/// The command `trace-viewer check LOG...`: prints only what is wrong and returns an exit code that
/// reflects it.
enum CheckCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    let paths = console.arguments.operands
    guard !paths.isEmpty else { throw .missingLog(.check) }
    return try Check(console, inputs: paths).finish(OpenedLogs(paths, console), console)
  }
}

/// A check whose options, settings and baseline are validated before any log is read.
struct Check {
  private let settings: LoadedSettings
  private var known: KnownFindings
  let outputs: CheckOutputs

  /// Prepares a check.
  ///
  /// - Parameter inputs: The files that no report may overwrite.
  init(_ console: Console, inputs: [String]) throws(UsageError) {
    settings = try LoadedSettings.load(console)
    known = try KnownFindings(settings.baseline, console)
    outputs = try CheckOutputs(
      console, inputs: inputs, baseline: settings.baseline, settings: settings.file)
  }

  /// Checks logs, writes the result to all outputs and returns the exit code.
  ///
  /// - Parameters:
  ///   - hang: What the processes did when the command reached a time limit.
  ///   - isWholeRun: A Boolean value that indicates whether the logs show all that the program
  ///     usually does. Otherwise, a finding that is missing may reappear.
  ///   - beforeWriting: A closure that is called when the logs are no longer needed.
  func finish(
    _ opened: OpenedLogs, _ console: Console, isWholeRun: Bool = true, hang: RunHang? = nil,
    beforeWriting: () -> Void = {}
  ) -> ExitCode {
    var known = known
    let verdict = Verdict(opened.analysis, settings.rules)
    let isReadable = opened.isUsable && opened.failure == nil
    let baselineFailure = known.update(
      opened.analysis, verdict, failOn: settings.failOn, isReadable: isReadable,
      isWholeRun: isWholeRun, console)
    let comparison = known.baseline.compare(
      verdict.findings, repetitions: verdict.repetitions, in: opened.analysis,
      isWhole: isReadable && isWholeRun && verdict.isWhole, covers: verdict.covers)
    let result = CheckResult(
      opened, verdict, settings, baseline: known.path, comparison,
      staleFails: !console.arguments.has(.allowStale), note: known.note,
      baselineFailure: baselineFailure, hang: hang
    ) {
      SourceLocator(
        $0, in: outputs.namesLocations ? console.directory : "", exists: console.fileExists)
    }
    beforeWriting()
    let outputFailure = outputs.write(result, console)
    return outputFailure ?? result.code
  }
}
