import Testing

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerBase
@testable import ViewerCommandLine

@Suite("CommandTable")
struct CommandTableTests {
  /// No command, which takes the options of a report, and each of the commands.
  private static let contexts: [CommandSpec.Name?] = [nil] + CommandSpec.Name.allCases

  private func options(_ command: CommandSpec.Name?) -> [OptionSpec] {
    CommandTable.options.filter { $0.belongs(to: command) }
  }

  @Test("has each command once, and a spec for every name")
  func commands() {
    #expect(CommandTable.commands.map(\.name) == CommandSpec.Name.allCases)
    #expect(
      Set(CommandTable.options.map(\.name)).count == OptionSpec.Name.allCases.count,
      "An option has no spec.")
  }

  @Test("gives a command no name, spelling or letter twice", arguments: contexts)
  func doubles(command: CommandSpec.Name?) {
    let options = options(command)
    let names = options.map(\.name)
    #expect(Set(names).count == names.count)
    let spellings = options.flatMap(\.spellings)
    #expect(Set(spellings).count == spellings.count)
    let letters = options.compactMap(\.letter)
    #expect(Set(letters).count == letters.count)
  }

  @Test("tells without the command whether a spelling or a letter takes a value")
  func shapes() {
    for option in CommandTable.options {
      let same = CommandTable.options.filter { other in
        !Set(other.spellings).isDisjoint(with: option.spellings)
          || (option.letter != nil && other.letter == option.letter)
      }
      #expect(same.allSatisfy { ($0.value == nil) == (option.value == nil) }, "\(option.spelling)")
    }
  }

  @Test("has no option without a command, and no command listed twice")
  func owners() {
    for option in CommandTable.options {
      guard case .commands(let commands) = option.scope else { continue }
      #expect(!commands.isEmpty, "\(option.spelling)")
      #expect(Set(commands).count == commands.count, "\(option.spelling)")
    }
  }

  @Test("says of everything what it does, in a sentence that fits")
  func summaries() {
    let summaries =
      CommandTable.commands.map(\.summary) + CommandTable.options.map(\.summary)
    for summary in summaries {
      #expect(summary.count <= CommandTable.longestSummary, "\(summary)")
      #expect(summary.hasSuffix(".") && summary.first?.isUppercase == true, "\(summary)")
    }
  }

  @Test("has examples and details for every command, and codes that a shell can tell apart")
  func texts() {
    for command in CommandTable.commands {
      #expect(!command.examples.isEmpty && !command.details.isEmpty, "\(command.name)")
      let codes = CommandTable.exitCodes.filter { $0.commands?.contains(command.name) != false }
      #expect(Set(codes.map(\.code)).count == codes.count, "\(command.name)")
    }
  }

  @Test("has spellings that need no quotes in any shell, and choices too")
  func words() {
    let plain = Set("abcdefghijklmnopqrstuvwxyz-0123456789")
    let words =
      CommandTable.options.flatMap { $0.spellings + $0.choices } + CommandTable.rules
      + CommandTable.ruleLevels
    for word in words {
      #expect(!word.isEmpty && !word.hasPrefix("-") && word.allSatisfy(plain.contains), "\(word)")
    }
  }

  @Test("has examples that the parser takes")
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
