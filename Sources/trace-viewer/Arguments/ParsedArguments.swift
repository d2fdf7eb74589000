import TerminalUI

/// A command line, taken apart and found to make sense.
struct ParsedArguments: Equatable {
  /// `nil` where neither a command nor a log is named.
  var command: CommandSpec.Name?
  /// Whether the command was typed, and not only meant.
  var namesCommand = false
  /// Logs, for `explain` a rule, or for `help` a command.
  var operands: [String] = []
  /// An option without a value has an empty one.
  private var values: [OptionSpec.Name: [String]] = [:]

  init(command: CommandSpec.Name? = nil, operands: [String] = []) {
    self.command = command
    self.operands = operands
  }

  /// The value of an option; of one that may be repeated, the last.
  subscript(_ name: OptionSpec.Name) -> String? {
    values[name]?.last
  }

  /// The values of an option that may be repeated, in the order in which they were given.
  func all(_ name: OptionSpec.Name) -> [String] {
    values[name] ?? []
  }

  /// Those that were given.
  var options: Set<OptionSpec.Name> { Set(values.keys) }

  func has(_ name: OptionSpec.Name) -> Bool {
    values[name] != nil
  }

  /// The value of an option that takes a number.
  func count(_ name: OptionSpec.Name) -> Int? {
    self[name].flatMap { Int($0) }
  }

  /// The files that `check` writes beside what it prints.
  var formatsAndFiles: [(format: String, file: String)] {
    all(.output).compactMap { OptionText.formatAndFile($0) }
  }

  var color: ColorChoice {
    self[.color].flatMap { ColorChoice(rawValue: $0) } ?? .auto
  }

  var isASCII: Bool { has(.ascii) }
  var wantsHelp: Bool { has(.help) }
  var wantsVersion: Bool { has(.version) }

  mutating func add(_ value: String, to option: OptionSpec) {
    if option.isRepeatable {
      values[option.name, default: []].append(value)
    } else {
      values[option.name] = [value]
    }
  }
}
