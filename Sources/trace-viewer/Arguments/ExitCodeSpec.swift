import TerminalUI

/// An exit code and its meaning, for some commands or for all.
struct ExitCodeSpec: Sendable {
  let code: Int32
  let meaning: String
  /// The commands that use the code, or `nil` for all commands.
  let commands: [CommandSpec.Name]?

  init(_ code: ExitCode, _ meaning: String, _ commands: [CommandSpec.Name]? = nil) {
    self.code = code.rawValue
    self.meaning = meaning
    self.commands = commands
  }

  /// Creates the spec of a code that a shell reports for a process that a signal ended.
  init(_ code: Int32, _ meaning: String) {
    self.code = code
    self.meaning = meaning
    commands = nil
  }
}
