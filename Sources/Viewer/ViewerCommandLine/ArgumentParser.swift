import TraceAnalysis
import TraceFormat
package import ViewerConsole

/// A parser for command lines.
///
/// Options may be anywhere. The last use of an option wins unless the option is repeatable. After
/// `--`, nothing is an option. The parser checks whether the options are valid as soon as it has
/// found the command, which may come after them.
package struct ArgumentParser {
  private var parsed = ParsedArguments()
  private let words: ArgumentWords
  /// Reports whether a file exists. The parser uses it to distinguish a log from a mistyped
  /// command.
  private let fileExists: (String) -> Bool

  package static func parse(
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
    if command.operands.kind == .program {
      // The name of the command is itself an operand.
      guard words.countBeforeDashes == 1 else { throw .commandWithoutDashes(operands, name) }
    }
    if operands.count < command.operands.minCount { throw .missingOperand(name) }
    if let maxCount = command.operands.maxCount, operands.count > maxCount {
      throw .extraOperand(operands[maxCount], name)
    }
    if command.operands.kind == .log, operands.count(where: { $0 == "-" }) > 1 {
      throw .repeatedInput(name)
    }
    for option in CommandTable.ownOptions(of: name) where option.isRequired {
      guard parsed.has(option.name) else { throw .missingOption(option, name) }
    }
  }
}

/// A command line that is cut into options and operands before the command is known.
private struct ArgumentWords {
  struct Option {
    /// The option as typed, without its value.
    let typed: String
    /// All option specs with this spelling, or an empty array if there is no such option.
    let specs: [OptionSpec]
    /// The value, or `nil` if none was given.
    let value: String?

    var takesValue: Bool {
      specs.contains { $0.value != nil }
    }
  }

  private(set) var options: [Option] = []
  private(set) var operands: [String] = []
  /// The number of operands before the first `--`.
  private(set) var countBeforeDashes = 0
  /// A Boolean value that indicates whether the first operand may be the name of a command. It is
  /// false if the operand follows `--`.
  private(set) var mayBeCommand = true

  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        if operands.isEmpty { mayBeCommand = false }
        operands += rest
        return
      } else if argument.hasPrefix("--") {
        readLong(argument, &rest)
      } else if argument.hasPrefix("-"), argument != "-" {
        readLetters(argument, &rest)
      } else {
        operands.append(argument)
        countBeforeDashes += 1
      }
    }
  }

  func has(_ name: OptionSpec.Name) -> Bool {
    options.contains { option in option.specs.contains { $0.name == name } }
  }

  private mutating func readLong(_ argument: String, _ rest: inout ArraySlice<String>) {
    let parts = argument.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? ""
    let specs = CommandTable.options.filter { $0.spellings.contains(name) }
    append("--" + name, specs, parts.count > 1 ? String(parts[1]) : nil, &rest)
  }

  /// Reads options such as `-h`, `-f json`, and `-fjson`, and several letters in one word.
  private mutating func readLetters(_ argument: String, _ rest: inout ArraySlice<String>) {
    var letters = argument.dropFirst()
    if CommandTable.options.contains(where: { $0.spellings.contains(String(letters)) }) {
      // A long option that lacks a dash is not a group of letters.
      append(argument, [], nil, &rest)
      return
    }
    while let letter = letters.popFirst() {
      let specs = CommandTable.options.filter { $0.letter == letter }
      if specs.isEmpty {
        append(letters.isEmpty ? "-\(letter)" : argument, specs, nil, &rest)
        return
      }
      let takesValue = specs.contains { $0.value != nil }
      let isLast = takesValue || letters.isEmpty
      append("-\(letter)", specs, takesValue && !letters.isEmpty ? String(letters) : nil, &rest)
      if isLast { return }
    }
  }

  private mutating func append(
    _ typed: String, _ specs: [OptionSpec], _ given: String?, _ rest: inout ArraySlice<String>
  ) {
    var value = given
    if value == nil, specs.contains(where: { $0.value != nil }), let next = rest.first,
      !Self.isOption(next)
    {
      value = next
      rest.removeFirst()
    }
    options.append(Option(typed: typed, specs: specs, value: value))
  }

  /// Reports whether a word in the position of a value is an option, which means that the value was
  /// forgotten.
  private static func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("--") else { return false }
    let name = word.dropFirst(2).prefix { $0 != "=" }
    return name.isEmpty || CommandTable.options.contains { $0.spellings.contains(String(name)) }
  }
}

extension OptionSpec {
  /// Checks a value before any log is opened.
  fileprivate func check(_ text: String, for command: CommandSpec.Name?) throws(UsageError) {
    guard let kind = value?.kind else { return }
    switch kind {
    case .oneOf(let choices):
      guard choices.contains(text) else { throw .wrongChoice(text, of: choices, self, command) }
    case .text, .file:
      guard !text.isEmpty else { throw .missingValue(self, command) }
    case .count:
      guard OptionText.count(text) != nil else {
        throw .wrongValue(text, self, "a whole number, such as 20, or 0 for all", command)
      }
    case .formatAndFile(let formats):
      guard let parts = OptionText.formatAndFile(text) else {
        throw .wrongValue(text, self, "FORMAT:FILE, such as json:findings.json", command)
      }
      guard formats.contains(parts.format) else {
        throw .wrongChoice(parts.format, of: formats, self, command)
      }
    case .laneAndCount:
      guard OptionText.laneAndCount(text) != nil else {
        throw .wrongValue(text, self, "LANE=N, such as search.results=2", command)
      }
    case .speed:
      guard ReplaySpeed(text) != nil else {
        throw .wrongValue(text, self, "a speed from 1/1000x to 1000x, or max", command)
      }
    case .duration:
      guard let time = TimeText.nanoseconds(text), time.count > 0 else {
        throw .wrongValue(text, self, "a time, such as 30s or 5m", command)
      }
    case .ruleSetting:
      try checkRule(text, for: command)
    }
  }

  private func checkRule(_ text: String, for command: CommandSpec.Name?) throws(UsageError) {
    guard let parts = OptionText.ruleSetting(text) else {
      throw .wrongValue(text, self, "RULE=SETTING, such as growth=off or growth.min=3", command)
    }
    guard RuleBook.rule(parts.rule) != nil else {
      throw .unknownRule(parts.rule, command)
    }
    if parts.threshold != nil {
      guard OptionText.isNumber(parts.setting) else {
        throw .wrongValue(text, self, "a number after '=', such as growth.min=3", command)
      }
    } else {
      guard CommandTable.ruleLevels.contains(parts.setting) else {
        throw .wrongChoice(parts.setting, of: CommandTable.ruleLevels, self, command)
      }
    }
  }
}
