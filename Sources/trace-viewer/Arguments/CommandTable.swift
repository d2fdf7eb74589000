import TraceAnalysis
import TraceFormat

/// The only list of all commands and options.
enum CommandTable {
  static let program = "trace-viewer"
  static let version = PackageVersion.current
  /// The date of the version, in the format of manual pages.
  static let date = "November 21, 2026"
  static let summary =
    "Shows what a program's signals did, and finds subscriptions that nobody disposed."

  /// The maximum length of a summary. Help and shell menus show the summary beside a name.
  static let longestSummary = 72

  /// The rules that `check` applies, in the order of their listing.
  static let rules = RuleBook.rules.map(\.id)

  /// The levels that a rule's findings can be set to.
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

  /// Returns the options of a command that not every command has.
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

  /// Returns the commands that have at least one of the given options, in the order of the table.
  static func owners(of options: [OptionSpec]) -> [CommandSpec.Name] {
    commands.map(\.name).filter { name in options.contains { $0.belongs(to: name) } }
  }
}
