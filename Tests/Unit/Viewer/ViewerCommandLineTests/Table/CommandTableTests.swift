import Testing

@testable import ViewerCommandLine
@testable import ViewerConsole

@Suite("CommandTable")
struct CommandTableTests {
  /// No command, which accepts the options of a report, and each of the commands.
  private static let contexts: [CommandSpec.Name?] = [nil] + CommandSpec.Name.allCases

  private func options(_ command: CommandSpec.Name?) -> [OptionSpec] {
    CommandTable.options.filter { $0.belongs(to: command) }
  }

  @Test("The table has every command exactly once and a specification for every option")
  func commands() {
    #expect(CommandTable.commands.map(\.name) == CommandSpec.Name.allCases)
    #expect(
      Set(CommandTable.options.map(\.name)).count == OptionSpec.Name.allCases.count,
      "An option has no spec.")
  }

  @Test("Names, spellings and letters of a command's options are unique", arguments: contexts)
  func doubles(command: CommandSpec.Name?) {
    let options = options(command)
    let names = options.map(\.name)
    #expect(Set(names).count == names.count)
    let spellings = options.flatMap(\.spellings)
    #expect(Set(spellings).count == spellings.count)
    let letters = options.compactMap(\.letter)
    #expect(Set(letters).count == letters.count)
  }

  @Test("Options that share a spelling or a letter agree on whether they take a value")
  func shapes() {
    for option in CommandTable.options {
      let same = CommandTable.options.filter { other in
        !Set(other.spellings).isDisjoint(with: option.spellings)
          || (option.letter != nil && other.letter == option.letter)
      }
      #expect(same.allSatisfy { ($0.value == nil) == (option.value == nil) }, "\(option.spelling)")
    }
  }

  @Test("Every option belongs to a command, and lists each command once")
  func owners() {
    for option in CommandTable.options {
      guard case .commands(let commands) = option.scope else { continue }
      #expect(!commands.isEmpty, "\(option.spelling)")
      #expect(Set(commands).count == commands.count, "\(option.spelling)")
    }
  }

  @Test("Every command and option summary is a sentence that fits on one line")
  func summaries() {
    let summaries = CommandTable.commands.map(\.summary) + CommandTable.options.map(\.summary)
    for summary in summaries {
      #expect(summary.count <= CommandTable.longestSummary, "\(summary)")
      #expect(summary.hasSuffix(".") && summary.first?.isUppercase == true, "\(summary)")
    }
  }

  @Test("Every command has examples, details and distinct exit codes")
  func texts() {
    for command in CommandTable.commands {
      #expect(!command.examples.isEmpty && !command.details.isEmpty, "\(command.name)")
      let codes = CommandTable.exitCodes.filter { $0.commands?.contains(command.name) != false }
      #expect(Set(codes.map(\.code)).count == codes.count, "\(command.name)")
    }
  }

  @Test("Spellings and choices don't need quotes in any shell")
  func words() {
    let plain = Set("abcdefghijklmnopqrstuvwxyz-0123456789")
    let words =
      CommandTable.options.flatMap { $0.spellings + $0.choices } + CommandTable.rules
      + CommandTable.ruleLevels
    for word in words {
      #expect(!word.isEmpty && !word.hasPrefix("-") && word.allSatisfy(plain.contains), "\(word)")
    }
  }

  @Test("The parser accepts every example")
  func examples() {
    for example in CommandTable.commands.flatMap(\.examples) {
      let line = example.command.split(separator: "|").last.map(String.init) ?? ""
      let words = line.split(separator: " ").map(String.init)
      #expect(words.first == ProgramInfo.name, "\(line)")
      #expect(
        usageError(line: words.dropFirst().joined(separator: " ")) == nil, "\(example.command)")
    }
  }
}
