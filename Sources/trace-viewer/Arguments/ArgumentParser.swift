/// A parser that takes a command line apart.
///
/// Options may stand anywhere. The last use of an option wins unless the option is repeatable.
/// After `--`, nothing is an option. The parser checks whether the options are legal once it knows
/// the command, which may come after them.
struct ArgumentParser {
  private var parsed = ParsedArguments()
  private let words: ArgumentWords
  /// Reports whether a file exists. The parser uses it to tell a log from a mistyped command.
  private let fileExists: (String) -> Bool

  static func parse(
    _ arguments: [String], fileExists: (String) -> Bool
  ) throws(UsageError) -> ParsedArguments {
    try withoutActuallyEscaping(fileExists) { (exists) throws(UsageError) -> ParsedArguments in
      var parser = ArgumentParser(words: ArgumentWords(arguments), fileExists: exists)
      try parser.readCommand()
      try parser.readOptions()
      try parser.checkOperands()
      return parser.parsed
    }
  }

  private init(words: ArgumentWords, fileExists: @escaping (String) -> Bool) {
    self.words = words
    self.fileExists = fileExists
  }

  private mutating func readCommand() throws(UsageError) {
    guard let first = words.operands.first else { return }
    if words.mayBeCommand, let command = CommandSpec.Name(rawValue: first) {
      parsed.command = command
      parsed.namesCommand = true
      parsed.operands = Array(words.operands.dropFirst())
      return
    }
    parsed.command = .report
    parsed.operands = words.operands
    if let unknown = words.options.first(where: \.specs.isEmpty) {
      // The value of the unknown option would become the first operand, and the command would
      // become a log.
      let command = words.operands.lazy.compactMap { CommandSpec.Name(rawValue: $0) }.first
      throw .unknownOption(unknown.typed, command)
    }
    guard words.mayBeCommand, !words.has(.help), first != "-", !fileExists(first) else { return }
    // A word that names no file and either resembles a command or has operands after it was
    // probably meant as a command.
    let isNear = CommandTable.commands.contains { Suggestion.isNear(first, $0.name.rawValue) }
    let looksLikePath = first.contains("/") || first.contains(".")
    if isNear || (words.operands.count > 1 && !looksLikePath) { throw .unknownCommand(first) }
  }

  private mutating func readOptions() throws(UsageError) {
    let command = parsed.command
    for option in words.options {
      guard !option.specs.isEmpty else { throw .unknownOption(option.typed, command) }
      guard let spec = option.specs.first(where: { $0.belongs(to: command) }) else {
        throw .foreignOption(option.specs, command)
      }
      if spec.value == nil {
        guard option.value == nil else { throw .unexpectedValue(spec, command) }
      } else {
        guard let value = option.value else { throw .missingValue(spec, command) }
        try spec.check(value, for: command)
      }
      parsed.add(option.value ?? "", to: spec)
    }
  }

  private func checkOperands() throws(UsageError) {
    guard let name = parsed.command, let command = CommandTable.command(name),
      !parsed.wantsHelp, !parsed.wantsVersion
    else { return }
    let operands = parsed.operands
    if operands.count < command.operands.least { throw .missingOperand(name) }
    if let most = command.operands.most, operands.count > most {
      throw .extraOperand(operands[most], name)
    }
    if command.operands.kind == .log, operands.count(where: { $0 == "-" }) > 1 {
      throw .repeatedInput(name)
    }
    for option in CommandTable.ownOptions(of: name) where option.isRequired {
      guard parsed.has(option.name) else { throw .missingOption(option, name) }
    }
  }
}
