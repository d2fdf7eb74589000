import Testing

@testable import ViewerCommandLine
@testable import ViewerConsole

@Suite("Arguments of trace-viewer run")
struct RunArgumentsTests {
  @Test("Words after -- are the command, even if they look like options")
  func command() throws {
    let parsed = try parse(
      "run", "--strict", "-o", "json:a", "--keep=logs", "--all", "--", "swift", "test",
      "--parallel", "--help", "--", "-x", "")
    #expect(parsed.command == .run)
    #expect(parsed.operands == ["swift", "test", "--parallel", "--help", "--", "-x", ""])
    #expect(parsed.options == [.strict, .output, .keep, .all])
    #expect(parsed[.keep] == "logs")
    #expect(!parsed.wantsHelp)
    #expect(try parse("--strict", "run", "--", "run").operands == ["run"])
    #expect(try parse("run", "--", "-").operands == ["-"])
  }

  @Test("A command without -- is an error that shows where -- belongs")
  func dashes() {
    let swift = usageError("run", "swift", "test", "a b")
    #expect(swift?.code == .extraOperand)
    #expect(swift?.sentence.hasSuffix(": trace-viewer run -- swift test 'a b'") == true)
    #expect(usageError("run", "swift", "--", "test")?.code == .extraOperand)
    #expect(usageError("run")?.code == .missingOperand)
    #expect(usageError("run", "--")?.code == .missingOperand)
    #expect(usageError("run", "--keep", "--", "swift")?.code == .missingValue)
    #expect(usageError("run", "--parallel", "--", "swift")?.code == .unknownOption)
    #expect(usageError("run", "--lane=x", "--", "swift")?.code == .foreignOption)
    #expect(usageError("check", "--keep=x", "log")?.code == .foreignOption)
  }

  @Test("The options of run are those of check plus six more")
  func options() {
    let check = Set(CommandTable.ownOptions(of: .check).map(\.name))
    let run = Set(CommandTable.ownOptions(of: .run).map(\.name))
    #expect(run == check.union([.keep, .all, .leaks, .timeout, .totalTimeout, .full]))
  }
}
