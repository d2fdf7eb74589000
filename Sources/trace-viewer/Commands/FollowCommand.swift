import ViewerCommandLine
import ViewerConsole

/// The command `trace-viewer follow LOG`: opens the interactive view of a log that is being
/// written, or prints its events as lines.
enum FollowCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    guard let path = console.arguments.operands.first else { throw .missingLog(.follow) }
    guard path != "-" else {
      throw UsageError(
        .wrongValue, .follow,
        "Standard input cannot be followed. Name the file that the recorder writes.")
    }
    guard InteractiveCommand.canShow(console), let keyboard = console.keyboard() else {
      return try PlainFollow(path, console).run()
    }
    return try InteractiveCommand.run(console, keyboard, follows: true)
  }
}
