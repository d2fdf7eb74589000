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
        .foreignOption, nil, "Option '\(spelling)' stands alone: it takes no command and no log.")
    }
    let others = owners.dropLast().joined(separator: ", ")
    return UsageError(
      .foreignOption, command,
      "Option '\(spelling)' does not belong to '\(name)'; it belongs to "
        + (others.isEmpty ? last : others + " and " + last) + ".")
  }

  static func missingOption(_ option: OptionSpec, _ command: CommandSpec.Name) -> UsageError {
    let value = option.value.map { "=" + $0.word } ?? ""
    return UsageError(
      .missingOption, command, "'\(command.rawValue)' needs '\(option.spelling)\(value)'.")
  }

  static func missingValue(_ option: OptionSpec, _ command: CommandSpec.Name?) -> UsageError {
    UsageError(
      .missingValue, command, "Option '\(option.spelling)' needs a value\(list(option.choices)).")
  }

  static func unexpectedValue(_ option: OptionSpec, _ command: CommandSpec.Name?) -> UsageError {
    UsageError(.unexpectedValue, command, "Option '\(option.spelling)' takes no value.")
  }

  static func wrongChoice(
    _ value: String, of choices: [String], _ option: OptionSpec, _ command: CommandSpec.Name?
  ) -> UsageError {
    UsageError(
      .wrongValue, command,
      "'\(value)' is no value of '\(option.spelling)'\(list(choices))."
        + hint(Suggestion.best(value, of: choices)))
  }

  static func wrongValue(
    _ value: String, _ option: OptionSpec, _ demand: String, _ command: CommandSpec.Name?
  ) -> UsageError {
    UsageError(
      .wrongValue, command, "'\(value)' is no value of '\(option.spelling)', which takes \(demand)."
    )
  }

  private static func spellings(_ options: [OptionSpec]) -> [String] {
    options.flatMap(\.spellings).map { "--" + $0 }
  }
}
