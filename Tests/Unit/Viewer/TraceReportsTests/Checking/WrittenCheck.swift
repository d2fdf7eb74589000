import TestSupport

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceReports
@testable import ViewerCommandLine
@testable import ViewerConsole

/// Checks logs and writes the result.
///
/// - Parameters:
///   - options: Options of the command line that set the baseline or the rules.
///   - directory: The directory with the sources, or an empty string for none.
func writeCheck(
  _ format: CheckFormat, of paths: [String], _ options: [String] = [], directory: String = ""
) throws -> Written {
  var console = Console.inMemory(directory: directory)
  console.arguments = try ArgumentParser.parse(["check"] + options + ["--"] + paths) { _ in true }
  let settings = try LoadedSettings.load(console)
  var baseline = Baseline()
  if let path = settings.baseline, case .bytes(let bytes) = InputFile.read(path) {
    baseline = try BaselineFile.read(bytes)
  }
  let opened = OpenedLogs(LogPaths(paths), console)
  let verdict = Verdict(opened.analysis, settings.rules)
  let comparison = baseline.compare(
    verdict.findings, repetitions: verdict.repetitions, in: opened.analysis,
    isWhole: opened.isUsable && opened.failure == nil && verdict.isWhole, covers: verdict.covers)
  let result = CheckResult(
    opened, verdict, settings, baseline: settings.baseline, comparison,
    known: verdict.groups.count
      - verdict.groups(of: comparison.findings, in: opened.analysis).count,
    unknown: 0, staleFails: true, note: nil
  ) { SourceLocator($0, in: directory, exists: console.fileExists) }
  console.out.output.write(format.text(result, console.page))
  return Written(result.code, console)
}

/// Checks a log with this content, and returns the result with LOG instead of the log's path.
func writeCheck(
  _ format: CheckFormat, ofText text: String, _ options: [String] = []
) throws -> String {
  let log = TemporaryFile(text)
  return try writeCheck(format, of: [log.path], options).out.replacing(log.path, with: "LOG")
}
