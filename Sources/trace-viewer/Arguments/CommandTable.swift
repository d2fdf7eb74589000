import TraceAnalysis
import TraceFormat

/// All commands and options, written once.
enum CommandTable {
  static let program = "trace-viewer"
  static let version = PackageVersion.current
  /// Of the version, as manuals write it.
  static let date = "November 21, 2026"
  static let summary =
    "Shows what a program's signals did, and finds subscriptions that nobody disposed."

  /// A summary stands beside a name, in help and in the menus of shells.
  static let longestSummary = 72

  /// The rules that `check` applies, in the order in which they are listed.
  static let rules = RuleBook.rules.map(\.id)

  /// How bad a finding of a rule can be set to be.
  static let ruleLevels = ["error", "warning", "off"]

  static let exitCodes: [ExitCodeSpec] = [
    ExitCodeSpec(.clean, "nothing wrong"),
    ExitCodeSpec(.findings, "findings", [.check]),
    ExitCodeSpec(.findings, "the new log has findings that the old one has not", [.diff]),
    ExitCodeSpec(.inconclusive, "inconclusive: a log may not be whole", [.check, .diff]),
    ExitCodeSpec(.usage, "wrong usage"),
    ExitCodeSpec(.notALog, "an input is no trace log, or is damaged with --strict"),
    ExitCodeSpec(.cannotOpen, "an input cannot be opened"),
    ExitCodeSpec(.cannotWrite, "an output could not be written"),
    ExitCodeSpec(130, "ended by an interrupt, such as ^C"),
    ExitCodeSpec(143, "ended by a request to terminate"),
  ]

  static func command(_ name: CommandSpec.Name) -> CommandSpec? {
    commands.first { $0.name == name }
  }

  /// The options that a command has and not every other one.
  static func ownOptions(of command: CommandSpec.Name) -> [OptionSpec] {
    options.filter { option in
      if case .commands(let commands) = option.scope { commands.contains(command) } else { false }
    }
  }

  /// The options of every command.
  static var commonOptions: [OptionSpec] {
    options.filter { if case .everywhere = $0.scope { true } else { false } }
  }

  /// The options of the program without a command.
  static var loneOptions: [OptionSpec] {
    options.filter { if case .alone = $0.scope { true } else { false } }
  }

  /// The commands that have one of some options, in the order of the table.
  static func owners(of options: [OptionSpec]) -> [CommandSpec.Name] {
    commands.map(\.name).filter { name in options.contains { $0.belongs(to: name) } }
  }
}
