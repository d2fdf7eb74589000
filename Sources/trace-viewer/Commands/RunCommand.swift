import CViewer.Commands
import Dispatch
import SystemLibrary
import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceReports
import TraceWords
import ViewerCommandLine
import ViewerConsole

/// The command `trace-viewer run -- COMMAND`: runs a command with tracing on, and checks the logs
/// of all its processes together.
enum RunCommand {
  private static let pathVariable = "REACTIVE_TRACE"
  private static let allVariable = "REACTIVE_TRACE_ALL"

  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    fillClosedStreams()
    // A mistake in an option must not cost the time of a test run.
    let check = try Check(console, inputs: [])
    // From here on, no signal ends this process before it has removed the folder.
    process_hold_signals()
    do throws(RunFailure) {
      let folder = try folder(console)
      defer { remove(folder, console) }
      let leaks = try LeakTracing(folder, console)
      let limit = nanoseconds(console.arguments[.timeout])
      let streams = try CommandStreams(
        outputToErrors: check.outputs.isForProgram, notesTimes: limit != nil)
      let (ending, hang) = try runCommand(in: folder, streams, leaks, console)
      watchForSignals(folder)
      // Whoever doesn't read has made the command silent, too.
      streams.finish(maxPause: hang == nil ? limit ?? 0 : 2_000_000_000)
      leaks?.finish(console)
      return finish(ending, hang, folder, check, console)
    } catch {
      console.writeError("Error", error.sentence)
      return error.code
    }
  }

  /// Opens the null device for each standard stream that is closed. Otherwise, files of this
  /// process would take their places, and a command would inherit them as its streams.
  private static func fillClosedStreams() {
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDWR)
    }
  }

  private static func folder(_ console: Console) throws(RunFailure) -> LogFolder {
    guard let path = console.arguments[.keep] else {
      return try LogFolder(temporary: console.environment["TMPDIR"])
    }
    return try LogFolder(kept: path)
  }

  private static func runCommand(
    in folder: LogFolder, _ streams: CommandStreams, _ leaks: LeakTracing?, _ console: Console
  ) throws(RunFailure) -> (ChildCommand.Ending, RunHang?) {
    if let path = console.environment[pathVariable], !path.isEmpty {
      console.writeError(
        "Warning",
        """
        \(pathVariable) is set to '\(path)', but each process of this run gets a log of its own. \
        To keep the logs, use '--keep'.
        """
      )
    }
    var variables = [pathVariable: folder.logPattern]
    if console.arguments.has(.all) { variables[allVariable] = "1" }
    // Earlier messages come before the output of the command.
    console.out.output.flush()
    console.error.output.flush()
    process_adopt_orphans()
    let arguments = console.arguments
    let watch = CommandWatch(
      sinceOutput: nanoseconds(arguments[.timeout]), total: nanoseconds(arguments[.totalTimeout]),
      streams)
    let command = try ChildCommand(
      arguments.operands, setting: variables, streams, tracing: leaks?.tracing)
    var hang: RunHang?
    let ending = command.wait(watch) { limit in
      let report = HangInspection(
        command: ShellText.line(arguments.operands), limit: limit, streams
      ).hang
      // The output of the command can end within a line. A report for another program has the same
      // facts.
      console.writeError([Line()] + report.lines(console.page, isFull: arguments.has(.full)))
      console.error.output.flush()
      if limit != nil { hang = report }
    }
    return (ending, hang)
  }

  private static func nanoseconds(_ text: String?) -> Int? {
    text.flatMap { TimeText.nanoseconds($0) }.map { Int(clamping: $0.count) }
  }

  /// Removes the folder and ends the process if somebody interrupts the check.
  private static func watchForSignals(_ folder: LogFolder) {
    process_release_stop_key()
    DispatchQueue(label: "trace-viewer.signals").async {
      let signal = process_next_deadly_signal()
      guard signal != 0 else { return }
      folder.remove()
      process_die_by(signal)
    }
  }

  private static func finish(
    _ ending: ChildCommand.Ending, _ hang: RunHang?, _ folder: LogFolder, _ check: Check,
    _ console: Console
  ) -> ExitCode {
    let words = ShellText.line(console.arguments.operands)
    switch ending {
    case .exited(0): break
    case .exited(let code):
      console.writeError("Command", "\(words) exited with code \(code).")
    case .killed(let signal):
      console.writeError("Command", "\(words) was ended by signal \(signal).")
    case .timedOut:
      let sentence = hang?.sentence(console.page) ?? "\(words) took too long."
      console.writeError("Command", "\(sentence) It was ended.")
    }
    let kept = console.arguments[.keep]
    let logs = RunLogs(folder.files, keptIn: kept)
    // Whoever sets a time limit may only look for hangs.
    let hasLimit = console.arguments.has(.timeout) || console.arguments.has(.totalTimeout)
    let opened =
      logs.files.isEmpty
      ? hasLimit
        ? OpenedLogs.none
        : OpenedLogs(
          failing: .noLog(
            of: words, failure: failure(ending), searchesLeaks: console.arguments.has(.leaks)),
          with: .inconclusive, console)
      : OpenedLogs(logs.files.map { ($0.path, $0.name) }, console)
    let unfinished = opened.analysis.logs.filter { $0.end == nil }.flatMap(\.names)
    for name in logs.running(Set(unfinished)) {
      console.writeError(
        "Warning",
        "\(name): The process is still running. It is judged by what it has written so far.")
    }
    let code = check.finish(
      opened, console, isWholeRun: ending == .exited(0), hang: hang,
      logs: kept.map(ShellText.quoted)
    ) {
      remove(folder, console)
    }
    if kept == nil, check.outputs.isText, code == .findings {
      console.writeError(
        "Next",
        """
        \(ProgramInfo.name) run --keep=logs -- \(words) keeps the logs, so that you can look at \
        them and explain a finding.
        """
      )
    }
    if folder.isKept, !logs.files.isEmpty {
      let path = ShellText.quoted(folder.path)
      console.writeError(
        "Logs",
        """
        \(CountText.make(logs.files.count, "file")) in \(path). To look at them: \
        \(ProgramInfo.name) \(path)
        """
      )
    }
    return ending.code == .clean ? code : ending.code
  }

  /// Returns how a command failed, as a clause; `nil` if it succeeded.
  private static func failure(_ ending: ChildCommand.Ending) -> String? {
    switch ending {
    case .exited(0): nil
    // A shell returns such a code for a program that a signal ended.
    case .exited(let code) where (129...192).contains(code):
      "it exited with code \(code), which stands for signal \(code - 128)"
    case .exited(let code): "it exited with code \(code)"
    case .killed(let signal): "signal \(signal) ended it"
    case .timedOut: "it reached its time limit"
    }
  }

  private static func remove(_ folder: LogFolder, _ console: Console) {
    if let problem = folder.remove() { console.writeError("Warning", problem) }
  }
}
