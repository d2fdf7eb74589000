/// The exit code of the program. `run` also exits with the codes of the command that it runs.
struct ExitCode: RawRepresentable, Hashable, Sendable {
  let rawValue: Int32

  static let clean = ExitCode(rawValue: 0)
  static let findings = ExitCode(rawValue: 1)
  static let inconclusive = ExitCode(rawValue: 2)
  static let usage = ExitCode(rawValue: 64)
  static let notALog = ExitCode(rawValue: 65)
  static let cannotOpen = ExitCode(rawValue: 66)
  static let cannotWrite = ExitCode(rawValue: 74)
  /// The command that `run` should run exists, but cannot be run. Shells use the same code.
  static let cannotRun = ExitCode(rawValue: 126)
  /// There is no command of that name. Shells use the same code.
  static let noCommand = ExitCode(rawValue: 127)
  /// The program was ended by ^C. The value is the one that a shell reports for a program that a
  /// signal ended.
  static let interrupted = ExitCode(rawValue: 130)
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
  init(_ code: Int32, _ meaning: String, _ commands: [CommandSpec.Name]? = nil) {
    self.code = code
    self.meaning = meaning
    self.commands = commands
  }
}
