import InteractiveView
import TraceAnalysis
import TraceReports
import ViewerCommandLine
import ViewerConsole

/// The command `trace-viewer check LOG...`: prints only what is wrong and returns an exit code that
/// reflects it.
enum CheckCommand {
  /// The maximum number of logs that a next command names.
  private static let maxNamed = 3

  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    let operands = console.arguments.operands
    guard !operands.isEmpty else { throw .missingLog(.check) }
    let paths = LogPaths(operands)
    let check = try Check(console, inputs: paths.files)
    let opened = OpenedLogs(paths, console)
    // The part of a log that can't be read may have the finding.
    if opened.isUsable, opened.failure == nil { try check.requireFindings(in: opened) }
    // Standard input can't be read again.
    let logs =
      operands.contains("-")
      ? nil : operands.count > maxNamed ? "LOG..." : ShellText.line(operands)
    return check.finish(opened, console, logs: logs)
  }
}

/// A check whose options, settings and baseline are validated before any log is read.
struct Check {
  private let settings: LoadedSettings
  private var known: KnownFindings
  /// The ids of the findings to check for, or an empty array for all.
  private let ids: [String]
  /// The subscriptions to check.
  private let query: Query
  let outputs: CheckOutputs

  /// Prepares a check.
  ///
  /// - Parameter inputs: The files that no report may overwrite.
  init(_ console: Console, inputs: [String]) throws(UsageError) {
    settings = try LoadedSettings.load(console)
    ids = console.arguments.all(.finding)
    query = try Query(of: console.arguments)
    if !ids.isEmpty || !query.isEmpty,
      console.arguments.has(.writeBaseline) || console.arguments.has(.pruneBaseline)
    {
      throw UsageError(
        .wrongValue, console.arguments.command,
        """
        '\(ids.isEmpty ? "--filter" : "--finding")' looks for some findings only, so the baseline \
        cannot be written. Leave one of the two out.
        """
      )
    }
    known = try KnownFindings(settings.baseline, console)
    outputs = try CheckOutputs(
      console, inputs: inputs, baseline: settings.baseline, settings: settings.file)
  }

  /// Throws an error if the logs do not have one of the chosen findings.
  func requireFindings(in opened: OpenedLogs) throws(UsageError) {
    guard !ids.isEmpty else { return }
    let known = Verdict(opened.analysis, settings.rules).groups.map(\.id)
    for id in ids where !known.contains(where: { $0.matches(id) }) {
      throw .unknownFinding(id, ids: known.map(\.description), .check)
    }
  }

  /// Returns only the chosen findings. Whether an entry of the baseline is stale is unknown.
  private func chosen(
    _ comparison: Baseline.Comparison, of verdict: Verdict, _ console: Console
  ) -> Baseline.Comparison {
    for id in ids where !verdict.groups.contains(where: { $0.id.matches(id) }) {
      // A finding of an earlier run that doesn't occur any more is what users hope for.
      console.writeError("Note", "No finding has the id '\(id)' any more.")
    }
    return chosen(comparison, of: verdict) { group in ids.contains { group.id.matches($0) } }
  }

  /// Returns only the findings that are about what the query selects.
  private func selected(
    _ comparison: Baseline.Comparison, of verdict: Verdict, in log: LogAnalysis, _ console: Console
  ) throws(LogError) -> Baseline.Comparison {
    let isSelected = try query.matches(in: log, QueryFacts(verdict.findings))
    let selected = chosen(comparison, of: verdict) { group in
      group.findings.contains { $0.affected.contains { isSelected[$0] } }
    }
    let hidden = comparison.findings.count - selected.findings.count
    if hidden > 0 {
      let count = CountText.make(hidden, "finding")
      console.writeError("Note", "'--filter' leaves out \(count).")
    }
    return selected
  }

  private func chosen(
    _ comparison: Baseline.Comparison, of verdict: Verdict, where isWanted: (FindingGroup) -> Bool
  ) -> Baseline.Comparison {
    let chosen = Set(verdict.groups.filter(isWanted).flatMap { $0.findings.map(\.number) })
    return Baseline.Comparison(
      findings: comparison.findings.filter { chosen.contains($0.number) },
      known: comparison.known, stale: [], settled: [])
  }

  /// Checks logs, writes the result to all outputs and returns the exit code.
  ///
  /// - Parameters:
  ///   - hang: What the processes did when the command reached a time limit.
  ///   - isWholeRun: A Boolean value that indicates whether the logs show all that the program
  ///     usually does. Otherwise, a finding that is missing may reappear.
  ///   - logs: The logs as words of a shell, if a next command can name them.
  ///   - beforeWriting: A closure that is called when the logs are no longer needed.
  func finish(
    _ opened: OpenedLogs, _ console: Console, isWholeRun: Bool = true, hang: RunHang? = nil,
    logs: String? = nil, beforeWriting: () -> Void = {}
  ) -> ExitCode {
    var known = known
    let verdict = Verdict(opened.analysis, settings.rules)
    known.note(lanesOf: opened.analysis)
    let isReadable = opened.isUsable && opened.failure == nil
    let baselineFailure = known.update(
      opened.analysis, verdict, failOn: settings.failOn, isReadable: isReadable,
      isWholeRun: isWholeRun, console)
    var comparison = known.baseline.compare(
      verdict.findings, repetitions: verdict.repetitions, in: opened.analysis,
      isWhole: isReadable && isWholeRun && verdict.isWhole,
      covers: { known.covers($0, verdict) })
    let groups = verdict.groups(of: comparison.findings, in: opened.analysis)
    let knownCount = verdict.groups.count - groups.count
    if !ids.isEmpty { comparison = chosen(comparison, of: verdict, console) }
    if !query.isEmpty {
      do throws(LogError) {
        comparison = try selected(comparison, of: verdict, in: opened.analysis, console)
      } catch {
        return OpenedLogs.report(error, console)
      }
    }
    let result = CheckResult(
      opened, verdict, settings, baseline: known.path, comparison,
      known: knownCount, unknown: ids.isEmpty && query.isEmpty ? known.unknown : 0,
      staleFails: !console.arguments.has(.allowStale), note: known.note,
      baselineFailure: baselineFailure, hang: hang
    ) {
      SourceLocator($0, in: console.directory, exists: console.fileExists)
    }
    beforeWriting()
    let outputFailure = outputs.write(result, console)
    if outputs.isText, let id = result.firstID, let logs {
      console.writeError(
        "Next", "\(ProgramInfo.name) explain \(logs) \(id) prints everything about a finding.")
    }
    return outputFailure ?? result.code
  }
}
