import Testing

@testable import trace_viewer

@Suite("ArgumentParser")
struct ArgumentParserTests {
  private func parse(_ arguments: String..., existing: [String] = []) throws -> ParsedArguments {
    try ArgumentParser.parse(arguments) { existing.contains($0) }
  }

  private func code(_ arguments: String..., existing: [String] = []) -> UsageError.Code? {
    do throws(UsageError) {
      _ = try ArgumentParser.parse(arguments) { existing.contains($0) }
      return nil
    } catch {
      return error.code
    }
  }

  private func sentence(_ arguments: String...) -> String {
    do throws(UsageError) {
      _ = try ArgumentParser.parse(arguments) { _ in false }
      return ""
    } catch {
      return error.sentence
    }
  }

  @Test("takes a log without a command for a report")
  func defaultCommand() throws {
    #expect(try parse("a.jsonl") == parse("report", "a.jsonl"))
    #expect(try parse("-") == parse("report", "-"))
    #expect(try parse().command == nil)
  }

  @Test("takes options in any order and both spellings, and the last one wins")
  func options() throws {
    let expected = ParsedArguments(
      command: .check, operands: ["a", "b"], color: .never, isASCII: true)
    #expect(try parse("check", "a", "b", "--color", "never", "--ascii") == expected)
    #expect(try parse("--ascii", "--color=never", "check", "a", "b") == expected)
    #expect(try parse("check", "--color=always", "a", "--ascii", "b", "--color=never") == expected)
  }

  @Test("takes nothing for an option or a command after --")
  func doubleDash() throws {
    #expect(try parse("--", "check") == ParsedArguments(command: .report, operands: ["check"]))
    #expect(
      try parse("check", "--", "--ascii", "-h")
        == ParsedArguments(command: .check, operands: ["--ascii", "-h"]))
  }

  @Test("asks for help and the version anywhere")
  func help() throws {
    #expect(try parse("check", "-h").wantsHelp)
    #expect(try parse("--help", "check").command == .check)
    #expect(try parse("--version").wantsVersion)
  }

  @Test("says what is wrong with a command line")
  func errors() {
    #expect(code("--nope", "a") == .unknownOption)
    #expect(code("-x", "a") == .unknownOption)
    #expect(code("--color") == .missingValue)
    #expect(code("--color=blue", "a") == .wrongValue)
    #expect(code("--color=", "a") == .wrongValue)
    #expect(code("--ascii=yes", "a") == .unexpectedValue)
    #expect(code("chekc", "a") == .unknownCommand)
    #expect(code("frobnicate", "a") == .unknownCommand)
    #expect(code("chekc", existing: ["chekc"]) == nil)
    #expect(code("some.jsonl") == nil)
  }

  @Test("suggests what a mistyped word may have meant")
  func suggestions() {
    #expect(sentence("--colour", "a") == "Unknown option '--colour'. Did you mean '--color'?")
    #expect(sentence("--asci", "a") == "Unknown option '--asci'. Did you mean '--ascii'?")
    #expect(sentence("chekc", "a") == "Unknown command 'chekc'. Did you mean 'check'?")
    #expect(sentence("repo", "a") == "Unknown command 'repo'. Did you mean 'report'?")
    #expect(sentence("--frobnicate", "a") == "Unknown option '--frobnicate'.")
    #expect(
      sentence("--color=nver", "a")
        == "'nver' is no value of '--color', one of always, auto, never. Did you mean 'never'?")
  }

  @Test("has a table without double names, and with a spec for every name")
  func table() {
    let commands = CommandTable.commands.map(\.name)
    #expect(commands.count == CommandSpec.Name.allCases.count)
    #expect(Set(commands).count == commands.count)
    let options = CommandTable.options.map(\.name)
    #expect(options.count == OptionSpec.Name.allCases.count)
    #expect(Set(options).count == options.count)
    let letters = CommandTable.options.compactMap(\.letter)
    #expect(Set(letters).count == letters.count)
  }
}
