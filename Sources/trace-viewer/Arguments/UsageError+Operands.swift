extension UsageError {
  static func unknownCommand(_ text: String, _ command: CommandSpec.Name? = nil) -> UsageError {
    let names = CommandTable.commands.map(\.name.rawValue)
    return UsageError(
      .unknownCommand, command,
      "Unknown command '\(text)'." + hint(Suggestion.best(text, of: names)))
  }

  static func unknownRule(_ text: String, _ command: CommandSpec.Name?) -> UsageError {
    UsageError(
      .unknownRule, command,
      "'\(text)' is no rule\(list(CommandTable.rules))."
        + hint(Suggestion.best(text, of: CommandTable.rules)))
  }

  static func missingLog(_ command: CommandSpec.Name) -> UsageError {
    UsageError(.missingOperand, command, "'\(command.rawValue)' needs a log.")
  }

  static func missingOperand(_ command: CommandSpec.Name) -> UsageError {
    guard let operands = CommandTable.command(command)?.operands, operands.least > 0 else {
      return missingLog(command)
    }
    switch operands.kind {
    case .log where operands.least == 1:
      return missingLog(command)
    case .log:
      return UsageError(
        .missingOperand, command,
        "'\(command.rawValue)' needs \(operands.least) logs: \(operands.usage).")
    case .rule:
      return UsageError(
        .missingOperand, command,
        "'\(command.rawValue)' needs a rule\(list(CommandTable.rules)).")
    case .command:
      return UsageError(.missingOperand, command, "'\(command.rawValue)' needs a command.")
    }
  }

  static func extraOperand(_ text: String, _ command: CommandSpec.Name) -> UsageError {
    let operands = CommandTable.command(command)?.operands
    let most = operands?.most ?? 1
    let word =
      switch operands?.kind {
      case .rule: "rule"
      case .command: "command"
      case .log, nil: "log"
      }
    let what = most == 1 ? "one \(word)" : "\(most) \(word)s"
    return UsageError(
      .extraOperand, command,
      "'\(command.rawValue)' takes \(what); '\(text)' is one too many.")
  }

  /// Returns the error for standard input that is a terminal. Nobody types a log.
  static func terminalAsLog(_ command: CommandSpec.Name) -> UsageError {
    UsageError(
      .wrongValue, command,
      "'-' is standard input, which is a terminal here. Send a log through a pipe, or name a file.")
  }

  /// Returns the error for standard input that is named twice.
  static func repeatedInput(_ command: CommandSpec.Name) -> UsageError {
    UsageError(
      .extraOperand, command, "'-' is named more than once; standard input can be read only once.")
  }
}
