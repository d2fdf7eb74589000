/// A command line, taken apart.
struct ParsedArguments: Equatable {
  /// `nil` where neither a command nor a log is named.
  var command: CommandSpec.Name?
  /// Logs, or for `help` a command.
  var operands: [String] = []
  var color = ColorChoice.auto
  var isASCII = false
  var wantsHelp = false
  var wantsVersion = false
}

/// Takes a command line apart: options anywhere, the last of a kind wins, nothing is an option after `--`.
struct ArgumentParser {
  private var parsed = ParsedArguments()
  /// Tells a log from a mistyped command.
  private let fileExists: (String) -> Bool

  static func parse(
    _ arguments: [String], fileExists: (String) -> Bool
  ) throws(UsageError) -> ParsedArguments {
    try withoutActuallyEscaping(fileExists) { (exists) throws(UsageError) -> ParsedArguments in
      var parser = ArgumentParser(fileExists: exists)
      try parser.read(arguments)
      return parser.parsed
    }
  }

  private init(fileExists: @escaping (String) -> Bool) {
    self.fileExists = fileExists
  }

  private mutating func read(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    var operands: [String] = []
    var mayBeCommand = true
    // Wrong options are told apart from the command that they were given to.
    parsed.command = arguments.lazy.prefix { $0 != "--" }
      .first { !$0.hasPrefix("-") }.flatMap { CommandSpec.Name(rawValue: $0) }
    while let argument = rest.popFirst() {
      if argument == "--" {
        if operands.isEmpty { mayBeCommand = false }
        operands += rest
        break
      } else if argument.hasPrefix("--") {
        try readLong(argument, &rest)
      } else if argument.hasPrefix("-"), argument != "-" {
        try readLetters(argument, &rest)
      } else {
        operands.append(argument)
      }
    }
    try assign(operands, mayBeCommand: mayBeCommand)
  }

  private mutating func readLong(
    _ argument: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let parts = argument.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = CommandTable.options.first(where: { $0.name.rawValue == name }) else {
      throw .unknownOption("--" + name, parsed.command)
    }
    try apply(option, parts.count > 1 ? String(parts[1]) : nil, &rest)
  }

  /// `-h`, `-f json`, `-fjson`, and several letters in one.
  private mutating func readLetters(
    _ argument: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = CommandTable.options.first(where: { $0.letter == letter }) else {
        throw .unknownOption(letters.isEmpty ? "-\(letter)" : argument, parsed.command)
      }
      if option.value != nil, !letters.isEmpty {
        try apply(option, String(letters), &rest)
        return
      }
      try apply(option, nil, &rest)
    }
  }

  private mutating func apply(
    _ option: OptionSpec, _ given: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    var value = ""
    if option.value == nil {
      guard given == nil else { throw .unexpectedValue(option, parsed.command) }
    } else {
      guard let text = given ?? rest.popFirst() else {
        throw .missingValue(option, parsed.command)
      }
      guard option.choices.isEmpty || option.choices.contains(text) else {
        throw .wrongValue(text, option, parsed.command)
      }
      value = text
    }
    switch option.name {
    case .color: parsed.color = ColorChoice(rawValue: value) ?? .auto
    case .ascii: parsed.isASCII = true
    case .help: parsed.wantsHelp = true
    case .version: parsed.wantsVersion = true
    }
  }

  private mutating func assign(_ operands: [String], mayBeCommand: Bool) throws(UsageError) {
    guard let first = operands.first else { return }
    if mayBeCommand, let command = CommandSpec.Name(rawValue: first) {
      parsed.command = command
      parsed.operands = Array(operands.dropFirst())
      return
    }
    parsed.command = .report
    parsed.operands = operands
    guard mayBeCommand, !parsed.wantsHelp, first != "-", !fileExists(first) else { return }
    // Something that is no file and looks like a command, or has something after it, was meant to be one.
    let isNear = CommandTable.commands.contains { Suggestion.isNear(first, $0.name.rawValue) }
    let looksLikePath = first.contains("/") || first.contains(".")
    if isNear || (operands.count > 1 && !looksLikePath) { throw .unknownCommand(first) }
  }
}
