/// A command line that is cut into options and operands before the command is known.
struct ArgumentWords {
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
  /// A Boolean value that indicates whether the first operand may be the name of a command. It is
  /// false if the operand follows `--`.
  private(set) var mayBeCommand = true

  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        if operands.isEmpty { mayBeCommand = false }
        operands += rest
        break
      } else if argument.hasPrefix("--") {
        readLong(argument, &rest)
      } else if argument.hasPrefix("-"), argument != "-" {
        readLetters(argument, &rest)
      } else {
        operands.append(argument)
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
