/// What the command line knows of a command: parser and help are made from it.
struct CommandSpec: Sendable {
  enum Name: String, CaseIterable, Sendable {
    case report, check, help
  }

  struct Example: Sendable {
    let command: String
    let meaning: String
  }

  let name: Name
  let summary: String
  /// What stands after the name in a usage line.
  let operands: String
  let examples: [Example]
  let details: String
}

/// What the command line knows of an option.
struct OptionSpec: Sendable {
  enum Name: String, CaseIterable, Sendable {
    case color, ascii, help, version
  }

  let name: Name
  let letter: Character?
  /// The values it takes, in words; `nil` for an option without a value.
  let value: String?
  /// The only values it takes; empty if it takes any.
  let choices: [String]
  let summary: String

  init(
    _ name: Name, letter: Character? = nil, value: String? = nil, choices: [String] = [],
    summary: String
  ) {
    self.name = name
    self.letter = letter
    self.value = value
    self.choices = choices
    self.summary = summary
  }
}
