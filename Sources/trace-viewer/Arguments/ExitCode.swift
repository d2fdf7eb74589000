/// The exit code of the program.
enum ExitCode: Int32, Sendable {
  case clean = 0
  case findings = 1
  case inconclusive = 2
  case usage = 64
  case notALog = 65
  case cannotOpen = 66
  case cannotWrite = 74
  /// The program was ended by ^C. The value is the one that a shell reports for a program that a
  /// signal ended.
  case interrupted = 130
}

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
