package import TerminalUI

/// A parsed and valid command line.
package struct ParsedArguments: Equatable {
  /// The command, or `nil` if the command line names neither a command nor a log.
  package var command: CommandSpec.Name?
  /// A Boolean value that indicates whether the user typed the command instead of relying on the
  /// default.
  package var namesCommand = false
  /// The logs; for `explain`, a rule, or logs and the id of a finding; for `help`, a command; for
  /// `run`, the words of the command to run.
  package var operands: [String] = []
  /// The values of each option. An option without a value has an empty string.
  private var values: [OptionSpec.Name: [String]] = [:]

  package init(command: CommandSpec.Name? = nil, operands: [String] = []) {
    self.command = command
    self.operands = operands
  }

  /// Returns the value of an option, or the last value of a repeatable option.
  package subscript(_ name: OptionSpec.Name) -> String? {
    values[name]?.last
  }

  /// Returns the values of a repeatable option in the order of the command line.
  package func all(_ name: OptionSpec.Name) -> [String] {
    values[name] ?? []
  }

  /// The options that were given.
  package var options: Set<OptionSpec.Name> { Set(values.keys) }

  package func has(_ name: OptionSpec.Name) -> Bool {
    values[name] != nil
  }

  /// Returns the value of an option as a case of its enumeration.
  package func choice<Choice: OptionChoice>(_ name: OptionSpec.Name, _ type: Choice.Type) -> Choice?
  {
    self[name].flatMap { text in Choice.allCases.first { $0.name == text } }
  }

  /// Returns the values of a repeatable option as cases of its enumeration.
  package func choices<Choice: OptionChoice>(_ name: OptionSpec.Name, _ type: Choice.Type)
    -> [Choice]
  {
    Choice.allCases.filter { all(name).contains($0.name) }
  }

  /// Returns the value of an option that takes a number.
  package func count(_ name: OptionSpec.Name) -> Int? {
    self[name].flatMap { Int($0) }
  }

  package var color: ColorChoice {
    choice(.color, ColorChoice.self) ?? .auto
  }

  package var isASCII: Bool { has(.ascii) }
  package var wantsHelp: Bool { has(.help) }
  package var wantsVersion: Bool { has(.version) }

  /// Sets the value of an option that takes one value, or none.
  package mutating func set(_ name: OptionSpec.Name, _ value: String = "") {
    values[name] = [value]
  }

  /// Returns only some of the options, with their values.
  package func only(_ names: Set<OptionSpec.Name>) -> ParsedArguments {
    var arguments = ParsedArguments(command: command)
    arguments.values = values.filter { names.contains($0.key) }
    return arguments
  }

  package mutating func add(_ value: String, to option: OptionSpec) {
    if option.isRepeatable {
      values[option.name, default: []].append(value)
    } else {
      values[option.name] = [value]
    }
  }
}
