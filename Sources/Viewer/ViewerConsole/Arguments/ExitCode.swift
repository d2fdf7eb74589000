/// The exit code of the program. `run` also exits with the codes of the command that it runs.
package struct ExitCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  package static let clean = ExitCode(rawValue: 0)
  package static let findings = ExitCode(rawValue: 1)
  package static let inconclusive = ExitCode(rawValue: 2)
  package static let usage = ExitCode(rawValue: 64)
  package static let notALog = ExitCode(rawValue: 65)
  package static let cannotOpen = ExitCode(rawValue: 66)
  /// A process can't be inspected. The value is that of `EX_UNAVAILABLE`.
  package static let cannotInspect = ExitCode(rawValue: 69)
  package static let cannotWrite = ExitCode(rawValue: 74)
  /// The command that `run` ran took too long. The program `timeout` uses the same code.
  package static let timedOut = ExitCode(rawValue: 124)
  /// The command that `run` should run exists, but can't be run. Shells use the same code.
  package static let cannotRun = ExitCode(rawValue: 126)
  /// The command does not exist. Shells use the same code.
  package static let noCommand = ExitCode(rawValue: 127)
  /// The program was ended by ^C. The value is the one that a shell reports for a program that a
  /// signal ended.
  package static let interrupted = ExitCode(rawValue: 130)
}

/// An exit code and its meaning, for some commands or for all.
package struct ExitCodeSpec: Sendable {
  package let code: Int32
  package let meaning: String
  /// The commands that use the code, or `nil` for all commands.
  package let commands: [CommandSpec.Name]?

  package init(_ code: ExitCode, _ meaning: String, _ commands: [CommandSpec.Name]? = nil) {
    self.code = code.rawValue
    self.meaning = meaning
    self.commands = commands
  }

  /// Creates the spec of a code that a shell reports for a process that a signal ended.
  package init(_ code: Int32, _ meaning: String, _ commands: [CommandSpec.Name]? = nil) {
    self.code = code
    self.meaning = meaning
    self.commands = commands
  }
}
