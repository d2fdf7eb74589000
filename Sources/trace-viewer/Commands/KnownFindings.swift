import InteractiveView
import SystemLibrary
import TraceAnalysis
import TraceReports
import TraceWords
import ViewerCommandLine
import ViewerConsole

/// The baseline of a check. It is read before the logs, compared with their findings, and written
/// on request.
struct KnownFindings {
  /// The path of the baseline, or `nil` if none is used.
  let path: String?
  private(set) var baseline: Baseline
  /// A sentence about the changes to the file, if any.
  private(set) var note: String?
  private let command: Command?
  /// The names of the lanes of the run.
  private var lanes: Set<String> = []

  private enum Command: Equatable {
    case write, prune
  }

  /// Reads the baseline.
  ///
  /// - Parameter path: The path of the file, as options and settings name it.
  init(_ path: String?, _ console: Console) throws(UsageError) {
    let arguments = console.arguments
    self.path = path
    baseline = Baseline()
    command = try KnownFindings.command(arguments, hasPath: path != nil)
    guard let path else { return }
    // A baseline that is about to be written need not exist yet.
    if command == .write, InputFile.read(path) == .missing { return }
    let bytes = try InputFile.read(path, as: "baseline", arguments.command)
    do throws(JSONError) {
      baseline = try BaselineFile.read(bytes)
    } catch {
      throw UsageError(.wrongFile, arguments.command, error.sentence(in: path))
    }
  }

  private static func command(
    _ arguments: ParsedArguments, hasPath: Bool
  ) throws(UsageError) -> Command? {
    let (writes, prunes) = (arguments.has(.writeBaseline), arguments.has(.pruneBaseline))
    if writes, prunes {
      throw UsageError(
        .wrongValue, arguments.command,
        """
        '--write-baseline' adds all findings, and '--prune-baseline' adds none. Use only one of \
        them.
        """
      )
    }
    guard writes || prunes || arguments.has(.allowStale) else { return nil }
    guard hasPath else {
      let name = writes ? "write-baseline" : prunes ? "prune-baseline" : "allow-stale"
      throw UsageError(
        .missingOption, arguments.command,
        "'--\(name)' needs a baseline: --baseline=FILE, or \"baseline\" in \(SettingsFile.name).")
    }
    return writes ? .write : prunes ? .prune : nil
  }

  /// Notes which lanes the run had. An entry about another lane is unknown: a part of the tests, or
  /// another program, may have it.
  mutating func note(lanesOf log: LogAnalysis) {
    guard path != nil else { return }
    lanes = Set(log.lanes(of: log.lifecycles.indices))
  }

  /// Reports whether the run would have shown a finding that an entry describes.
  func covers(_ fingerprint: Fingerprint, _ verdict: Verdict) -> Bool {
    lanes.contains(fingerprint.lane) && verdict.covers(fingerprint)
  }

  /// The number of entries about lanes that the run didn't have.
  var unknown: Int { baseline.entries.count { !lanes.contains($0.fingerprint.lane) } }

  /// Writes the file if the command line asks for it and the logs allow it.
  ///
  /// - Returns: The exit code if the file can't be written; otherwise `nil`.
  mutating func update(
    _ log: LogAnalysis, _ verdict: Verdict, failOn: Verdict.FailOn, isReadable: Bool,
    isWholeRun: Bool, _ console: Console
  ) -> ExitCode? {
    guard let path, let command else { return nil }
    guard isReadable else {
      console.writeError(
        "Warning", "\(path): The baseline was not changed, because a log could not be read.")
      return nil
    }
    let changed: Baseline
    switch command {
    case .write:
      // Unproven findings would make the baseline stale as soon as a log is complete.
      let findings = verdict.findings.filter { $0.isProven || failOn == .any }
      changed = baseline.accepting(
        findings, in: log, isWhole: isWholeRun && verdict.isWhole,
        covers: { covers($0, verdict) })
    case .prune:
      guard isWholeRun else {
        console.writeError(
          "Warning",
          """
          \(path): The baseline was not changed, because a command that failed does not prove that \
          a finding is gone.
          """
        )
        return nil
      }
      guard verdict.isWhole else {
        console.writeError(
          "Warning",
          """
          \(path): The baseline was not changed, because an incomplete log does not prove that a \
          finding is gone.
          """
        )
        return nil
      }
      let comparison = baseline.compare(
        verdict.findings, repetitions: verdict.repetitions, in: log, isWhole: true,
        covers: { covers($0, verdict) })
      let stale = comparison.stale + comparison.settled
      changed = stale.isEmpty ? baseline : baseline.pruned(of: stale)
    }
    if command == .write || changed != baseline {
      let failure = OutputFile.replace(path, with: BaselineFile.text(changed), console)
      if let failure { return failure }
    }
    baseline = changed
    note = KnownFindings.note(command, path, baseline)
    return nil
  }

  private static func note(_ command: Command, _ path: String, _ baseline: Baseline) -> String {
    let entries = CountText.make(baseline.entries.count, "entry", "entries")
    return switch command {
    case .write: "wrote \(entries) to the baseline \(RawPath.shown(path))"
    case .prune: "the baseline \(RawPath.shown(path)) now has \(entries)"
    }
  }
}
