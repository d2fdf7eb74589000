import TerminalUI

/// An exit code and what it says, of some commands or of all.
struct ExitCodeSpec: Sendable {
  let code: Int32
  let meaning: String
  /// `nil` for all.
  let commands: [CommandSpec.Name]?

  init(_ code: ExitCode, _ meaning: String, _ commands: [CommandSpec.Name]? = nil) {
    self.code = code.rawValue
    self.meaning = meaning
    self.commands = commands
  }

  /// What a shell reports of a process that a signal ended.
  init(_ code: Int32, _ meaning: String) {
    self.code = code
    self.meaning = meaning
    commands = nil
  }
}
