import TraceAnalysis

/// The command `trace-viewer check LOG...`: prints only what is wrong and returns an exit code that
/// reflects it.
enum CheckCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    let paths = console.arguments.operands
    guard !paths.isEmpty else { throw .missingLog(.check) }
    let settings = try LoadedSettings.load(console)
    var known = try KnownFindings(settings.baseline, console)
    let outputs = try CheckOutputs(
      console, baseline: settings.baseline, settings: settings.file)
    let opened = OpenedLogs(paths, console)
    let verdict = Verdict(opened.analysis, settings.rules)
    let isReadable = opened.isUsable && opened.failure == nil
    let baselineFailure = known.update(
      opened.analysis, verdict, failOn: settings.failOn, isReadable: isReadable, console)
    let comparison = known.baseline.compare(
      verdict.findings, in: opened.analysis, isWhole: isReadable && verdict.isWhole,
      covers: verdict.covers)
    let result = CheckResult(
      opened, verdict, settings, baseline: known.path, comparison,
      staleFails: !console.arguments.has(.allowStale), note: known.note,
      baselineFailure: baselineFailure
    ) {
      SourceLocator(
        $0, in: outputs.namesLocations ? console.directory : "", exists: console.fileExists)
    }
    let outputFailure = outputs.write(result, console)
    return outputFailure ?? result.code
  }
}
