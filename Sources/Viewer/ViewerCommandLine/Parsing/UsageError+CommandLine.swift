package import ViewerConsole

// Errors in the words of a command line, which suggest what the table contains instead.
extension UsageError {
  static func unknownOption(_ text: String, _ command: CommandSpec.Name?) -> UsageError {
    let here = CommandTable.options.filter { $0.belongs(to: command) }
    // The user more likely means an option of this command than one of another command.
    let suggestion =
      Suggestion.best(text, of: spellings(here))
      ?? Suggestion.best(text, of: spellings(CommandTable.options))
    return UsageError(.unknownOption, command, "Unknown option '\(text)'." + hint(suggestion))
  }

  /// Returns the error for an option that belongs to other commands.
  static func foreignOption(_ options: [OptionSpec], _ command: CommandSpec.Name?) -> UsageError {
    let spelling = options.first?.spelling ?? ""
    let name = (command ?? .report).rawValue
    let owners = CommandTable.owners(of: options).map { "'\($0.rawValue)'" }
    guard let last = owners.last else {
      return UsageError(
        .foreignOption, nil, "Option '\(spelling)' cannot be used with a command or a log.")
    }
    let others = owners.dropLast().joined(separator: ", ")
    return UsageError(
      .foreignOption, command,
      "'\(name)' does not have the option '\(spelling)'. These commands do: "
        + (others.isEmpty ? last : others + " and " + last) + ".")
  }

  static func missingOption(_ option: OptionSpec, _ command: CommandSpec.Name) -> UsageError {
    let value = option.value.map { "=" + $0.word } ?? ""
    return UsageError(
      .missingOption, command, "'\(command.rawValue)' needs '\(option.spelling)\(value)'.")
  }

  static func missingValue(_ option: OptionSpec, _ command: CommandSpec.Name?) -> UsageError {
    UsageError(
      .missingValue, command, "Option '\(option.spelling)' needs a value.\(list(option.choices))")
  }

  static func unexpectedValue(_ option: OptionSpec, _ command: CommandSpec.Name?) -> UsageError {
    UsageError(.unexpectedValue, command, "Option '\(option.spelling)' takes no value.")
  }

  static func wrongChoice(
    _ value: String, of choices: [String], _ option: OptionSpec, _ command: CommandSpec.Name?
  ) -> UsageError {
    let isChrome = option.name == .exportFormat && value == "chrome"
    return UsageError(
      .wrongValue, command,
      "Invalid value '\(value)' for '\(option.spelling)'."
        + (isChrome
          ? " Perfetto, which opens traces of Chrome, has a format of its own: '--to perfetto'."
          : list(choices) + hint(Suggestion.best(value, of: choices))))
  }

  static func wrongValue(
    _ value: String, _ option: OptionSpec, _ demand: String, _ command: CommandSpec.Name?
  ) -> UsageError {
    UsageError(
      .wrongValue, command,
      "Invalid value '\(value)' for '\(option.spelling)'. It must be \(demand).")
  }

  private static func spellings(_ options: [OptionSpec]) -> [String] {
    options.flatMap(\.spellings).map { "--" + $0 }
  }

  // MARK: Operands

  package static func unknownCommand(_ text: String, _ command: CommandSpec.Name? = nil)
    -> UsageError
  {
    let names = CommandTable.commands.map(\.name.rawValue)
    return UsageError(
      .unknownCommand, command,
      "Unknown command '\(text)'." + hint(Suggestion.best(text, of: names)))
  }

  package static func unknownRule(_ text: String, _ command: CommandSpec.Name?) -> UsageError {
    UsageError(
      .unknownRule, command,
      "Unknown rule '\(text)'." + hint(Suggestion.best(text, of: CommandTable.rules))
        + " The rules are: \(CommandTable.rules.joined(separator: ", ")).")
  }

  /// Returns the error for `explain` with a log and without the id of a finding.
  package static func missingFinding(_ log: String) -> UsageError {
    UsageError(
      .missingOperand, .explain,
      "Name the id of a finding after the log '\(log)'. 'check' prints the ids.")
  }

  /// Returns the error for `explain` with the id of a finding and without a log before it.
  package static func missingLog(ofFinding id: String) -> UsageError {
    UsageError(
      .missingOperand, .explain,
      "Name the log of the finding '\(id)' before its id, as in 'explain LOG \(id)'.")
  }

  package static func missingLog(_ command: CommandSpec.Name) -> UsageError {
    UsageError(.missingOperand, command, "'\(command.rawValue)' needs a log.")
  }

  package static func missingOperand(_ command: CommandSpec.Name) -> UsageError {
    guard let operands = CommandTable.command(command)?.operands, operands.minCount > 0 else {
      return missingLog(command)
    }
    switch operands.kind {
    case .log where operands.minCount == 1:
      return missingLog(command)
    case .log:
      return UsageError(
        .missingOperand, command,
        "'\(command.rawValue)' needs \(operands.minCount) logs: \(operands.usage).")
    case .rule:
      return UsageError(
        .missingOperand, command,
        "'\(command.rawValue)' needs a rule: \(CommandTable.rules.joined(separator: ", ")).")
    case .command:
      return UsageError(.missingOperand, command, "'\(command.rawValue)' needs a command.")
    case .program:
      return UsageError(
        .missingOperand, command,
        "'\(command.rawValue)' needs a command to run, after '--': \(operands.usage).")
    case .process:
      return UsageError(
        .missingOperand, command,
        "'\(command.rawValue)' needs the number of a process, or a core file.")
    case .nothing: return missingLog(command)
    }
  }

  package static func extraOperand(_ text: String, _ command: CommandSpec.Name) -> UsageError {
    let operands = CommandTable.command(command)?.operands
    if operands?.kind == .nothing {
      return UsageError(
        .extraOperand, command, "'\(command.rawValue)' takes only options. Remove '\(text)'.")
    }
    let maxCount = operands?.maxCount ?? 1
    let word =
      switch operands?.kind {
      case .rule: "rule"
      case .command: "command"
      case .program: "command"
      case .process: "process"
      case .log, .nothing, nil: "log"
      }
    let what = maxCount == 1 ? "one \(word)" : "\(maxCount) \(word)s"
    return UsageError(
      .extraOperand, command,
      "'\(command.rawValue)' takes only \(what). Remove '\(text)'.")
  }

  package static func notAProcess(_ text: String, _ command: CommandSpec.Name) -> UsageError {
    UsageError(
      .wrongValue, command,
      "'\(text)' is neither the number of a process nor a core file. 'ps' and 'pgrep NAME' print "
        + "the numbers.")
  }

  /// The error for `--watch` with a core file, which doesn't change.
  package static var cannotWatch: UsageError {
    UsageError(.wrongValue, .tasks, "'--watch' is only for processes. A core file doesn't change.")
  }

  /// Returns the error for a command to run that does not follow `--`.
  static func commandWithoutDashes(_ words: [String], _ command: CommandSpec.Name) -> UsageError {
    let line = ShellText.line([ProgramInfo.name, command.rawValue, "--"] + words)
    return UsageError(
      .extraOperand, command,
      """
      '\(command.rawValue)' takes the command to run after '--', and its own options before it: \
      \(line)
      """
    )
  }

  /// Returns the error for standard input that is a terminal. Nobody types a log.
  package static func terminalAsLog(_ command: CommandSpec.Name) -> UsageError {
    UsageError(
      .wrongValue, command,
      "'-' means standard input, which is a terminal. Pipe a log into the program, or name a file.")
  }

  /// Returns the error for standard input that is named twice.
  static func repeatedInput(_ command: CommandSpec.Name) -> UsageError {
    UsageError(
      .extraOperand, command,
      "'-' occurs more than once, but standard input can be read only once.")
  }
}
