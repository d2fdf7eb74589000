import SystemLibrary
import TerminalUI
import TraceReports
import TraceWords
import ViewerCommandLine
import ViewerConsole

/// The whole program except for the process around it.
enum Program {
  /// Runs the command that the arguments name and returns the exit code.
  static func run(_ arguments: [String], _ console: Console) -> ExitCode {
    var console = console
    var code: ExitCode
    do throws(UsageError) {
      console.arguments = try ArgumentParser.parse(arguments, fileExists: console.fileExists)
      code = try dispatch(console)
    } catch {
      report(error, console)
      code = error.exitCode
    }
    console.out.output.flush()
    if let failure = console.out.output.failure {
      // The reader has closed the output, so there is nobody to report to.
      if failure != EPIPE {
        let reason = String(cString: strerror(failure))
        console.writeError("Error", "Standard output cannot be written: \(reason).")
      }
      // If a command that was run has failed, that is more important.
      if console.arguments.command != .run || code == .clean { code = .cannotWrite }
    }
    console.error.output.flush()
    return code
  }

  private static func dispatch(_ console: Console) throws(UsageError) -> ExitCode {
    let arguments = console.arguments
    if arguments.wantsVersion {
      console.write([Line("\(ProgramInfo.name) \(ProgramInfo.version)")])
      return .clean
    }
    if arguments.wantsHelp {
      // `LOG --help` asks about the program, `check --help` about the command.
      let command = arguments.operands.isEmpty ? arguments.command : nil
      let named = arguments.command == .report ? command : arguments.command
      let page = HelpPage(command: named.flatMap { CommandTable.command($0) })
      console.write(page.lines(console.helpPage))
      return .clean
    }
    if let shell = arguments.choice(.completionScript, CompletionShell.self) {
      console.out.output.write(CompletionScript(shell: shell).text)
      return .clean
    }
    if arguments.has(.manual) {
      console.out.output.write(ManualPage.text)
      return .clean
    }
    if console.inputIsTerminal, let command = arguments.command,
      CommandTable.command(command)?.operands.kind == .log, command != .follow,
      arguments.operands.contains("-")
    {
      throw .terminalAsLog(command)
    }
    // The other commands check this themselves, because their output need not be standard output.
    if let command = arguments.command, [.marbles, .diff, .replay].contains(command),
      let log = LogPaths(arguments.operands).files.first(where: { OutputFile.isSame("-", as: $0) })
    {
      throw .standardOutputIsLog(log, command)
    }
    switch arguments.command {
    case .report:
      return InteractiveCommand.isMeant(console)
        ? try InteractiveCommand.run(console) : try ReportCommand.run(console)
    case .follow: return try FollowCommand.run(console)
    case .replay: return try ReplayCommand.run(console)
    case .marbles: return try MarblesCommand.run(console)
    case .check: return try CheckCommand.run(console)
    case .run: return try RunCommand.run(console)
    case .tasks: return try TasksCommand.run(console)
    case .leaks: return try LeaksCommand.run(console)
    case .explain: return try ExplainCommand.run(console)
    case .diff: return try DiffCommand.run(console)
    case .export: return try ExportCommand.run(console)
    case .repair: return try RepairCommand.run(console)
    case .verify: return try VerifyCommand.run(console)
    case .mcp: return try ServeCommand.run(console)
    case .help: return try HelpCommand.run(console)
    case nil:
      console.writeError(HelpPage(command: nil).lines(console.helpPage))
      return .usage
    }
  }

  private static func report(_ error: UsageError, _ console: Console) {
    console.writeError("Error", error.sentence)
    guard error.isAboutWords else { return }
    let usages = HelpPage.usages(error.command)
    for (index, usage) in usages.enumerated() {
      console.writeError([Line((index == 0 ? "Usage: " : "       ") + usage)])
    }
    let command = error.command.map { " " + $0.rawValue } ?? ""
    console.writeError([
      Line("  See '\(ProgramInfo.name)\(command) --help' for more information.")
    ])
  }
}
