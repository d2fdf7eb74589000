import ViewerCommandLine
import ViewerConsole

/// The command `trace-viewer help COMMAND`.
enum HelpCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    let operands = console.arguments.operands
    if operands.count > 1 { throw .extraOperand(operands[1], .help) }
    guard let name = operands.first else {
      console.write(HelpPage(command: nil).lines(console.helpPage))
      return .clean
    }
    guard let command = CommandSpec.Name(rawValue: name) else { throw .unknownCommand(name, .help) }
    console.write(HelpPage(command: CommandTable.command(command)).lines(console.helpPage))
    return .clean
  }
}
