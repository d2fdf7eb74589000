/// A command line that makes no sense: a code, the command it is about, and a sentence.
struct UsageError: Error, Equatable {
  struct Code: Equatable, Sendable {
    private let name: String

    static let unknownOption = Code(name: "unknown-option")
    static let unknownCommand = Code(name: "unknown-command")
    static let missingValue = Code(name: "missing-value")
    static let unexpectedValue = Code(name: "unexpected-value")
    static let wrongValue = Code(name: "wrong-value")
    static let missingOperand = Code(name: "missing-operand")
    static let extraOperand = Code(name: "extra-operand")
  }

  let code: Code
  let command: CommandSpec.Name?
  let sentence: String

  init(_ code: Code, _ command: CommandSpec.Name?, _ sentence: String) {
    self.code = code
    self.command = command
    self.sentence = sentence
  }

  static func unknownOption(_ text: String, _ command: CommandSpec.Name?) -> UsageError {
    let names = CommandTable.options.map { "--" + $0.name.rawValue }
    return UsageError(
      .unknownOption, command, "Unknown option '\(text)'." + hint(Suggestion.best(text, of: names)))
  }

  static func unknownCommand(_ text: String, _ command: CommandSpec.Name? = nil) -> UsageError {
    let names = CommandTable.commands.map(\.name.rawValue)
    return UsageError(
      .unknownCommand, command,
      "Unknown command '\(text)'." + hint(Suggestion.best(text, of: names)))
  }

  static func missingValue(_ option: OptionSpec, _ command: CommandSpec.Name?) -> UsageError {
    UsageError(
      .missingValue, command,
      "Option '--\(option.name.rawValue)' needs a value\(list(option.choices)).")
  }

  static func unexpectedValue(_ option: OptionSpec, _ command: CommandSpec.Name?) -> UsageError {
    UsageError(
      .unexpectedValue, command, "Option '--\(option.name.rawValue)' takes no value.")
  }

  static func wrongValue(
    _ value: String, _ option: OptionSpec, _ command: CommandSpec.Name?
  ) -> UsageError {
    UsageError(
      .wrongValue, command,
      "'\(value)' is no value of '--\(option.name.rawValue)'\(list(option.choices))."
        + hint(Suggestion.best(value, of: option.choices)))
  }

  static func missingLog(_ command: CommandSpec.Name) -> UsageError {
    UsageError(.missingOperand, command, "'\(command.rawValue)' needs a log.")
  }

  static func extraOperand(_ text: String, _ command: CommandSpec.Name) -> UsageError {
    let what = command == .help ? "command" : "log"
    return UsageError(
      .extraOperand, command,
      "'\(command.rawValue)' takes one \(what); '\(text)' is one too many.")
  }

  private static func hint(_ suggestion: String?) -> String {
    suggestion.map { " Did you mean '\($0)'?" } ?? ""
  }

  private static func list(_ choices: [String]) -> String {
    choices.isEmpty ? "" : ", one of " + choices.joined(separator: ", ")
  }
}
