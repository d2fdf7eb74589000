import SystemLibrary
import TestSupport
import Testing

@testable import TerminalUI
@testable import ViewerCommandLine
@testable import ViewerConsole

@Suite("ArgumentParser")
struct ArgumentParserTests {
  @Test("A log without a command means a report")
  func defaultCommand() throws {
    for log in ["a.jsonl", "-"] {
      let meant = try parse(log)
      var named = try parse("report", log)
      #expect(!meant.namesCommand && named.namesCommand)
      named.namesCommand = false
      #expect(meant == named)
    }
    #expect(try parse().command == nil)
    #expect(try parse("--ascii").command == nil)
  }

  @Test("Options can have any order and spelling, and the last one wins")
  func options() throws {
    let arguments = try parse("check", "a", "b", "--format", "json", "--ascii")
    #expect(arguments.command == .check)
    #expect(arguments.operands == ["a", "b"])
    #expect(arguments[.format] == "json")
    #expect(arguments.isASCII)
    #expect(try parse("--ascii", "--format=json", "check", "a", "b") == arguments)
    #expect(try parse("check", "-f", "json", "a", "--ascii", "b") == arguments)
    #expect(try parse("-fjson", "check", "a", "b", "--ascii") == arguments)
    #expect(try parse("check", "-fsarif", "a", "--ascii", "b", "-f", "json") == arguments)
    #expect(try parse("--color=never", "--color", "always", "a").color == .always)
  }

  @Test("Option letters can be combined, and the last one can have a value")
  func letters() throws {
    #expect(try parse("check", "-hfjson") == parse("check", "--help", "--format=json"))
    #expect(try parse("check", "-hf", "json") == parse("check", "--help", "--format=json"))
    #expect(try parse("check", "-ojson:-", "a")[.output] == "json:-")
  }

  @Test("Every value of a repeatable option is kept")
  func repeated() throws {
    let arguments = try parse("--lane", "a.*", "log", "--lane=b", "--from=1s", "--from=2s")
    #expect(arguments.all(.lane) == ["a.*", "b"])
    #expect(arguments[.lane] == "b")
    #expect(arguments.all(.from) == ["2s"])
    #expect(arguments.all(.state) == [])
    #expect(arguments.has(.lane))
    #expect(!arguments.has(.strict))
  }

  @Test("Values of options are available with their types")
  func typed() throws {
    #expect(try parse("--limit=0", "a").count(.limit) == 0)
    #expect(try parse("--limit", "120", "a").count(.limit) == 120)
    #expect(try parse("a").count(.limit) == nil)
    let check = try parse(
      "check", "a", "--max-active", "x=y=2", "-o", "json:a:b", "--max-active=z=0", "-ojunit:c")
    #expect(check.all(.maxActive) == ["x=y=2", "z=0"])
    #expect(check.formatsAndFiles.map(\.format) == ["json", "junit"])
    #expect(check.formatsAndFiles.map(\.file) == ["a:b", "c"])
  }

  @Test("A spelling can mean different options for different commands")
  func spellings() throws {
    #expect(try parse("--to=5s", "a")[.until] == "5s")
    #expect(try parse("--until=5s", "a")[.until] == "5s")
    #expect(try parse("--to", "csv", "--until", "5s", "export", "a")[.exportFormat] == "csv")
    #expect(try parse("--to", "csv", "--until", "5s", "export", "a")[.until] == "5s")
    #expect(try parse("report", "-o", "a", "b")[.output] == "a")
  }

  @Test("Arguments after -- are never options or commands")
  func doubleDash() throws {
    #expect(try parse("--", "check") == ParsedArguments(command: .report, operands: ["check"]))
    var expected = ParsedArguments(command: .check, operands: ["--ascii", "-h"])
    expected.namesCommand = true
    #expect(try parse("check", "--", "--ascii", "-h") == expected)
    #expect(try parse("a.jsonl", "--", "check").operands == ["a.jsonl", "check"])
  }

  @Test("A single - means standard input and is accepted once")
  func standardInput() throws {
    #expect(try parse("diff", "-", "a").operands == ["-", "a"])
    #expect(usageError("check", "-", "a", "-")?.code == .extraOperand)
    #expect(usageError("diff", "-", "-")?.code == .extraOperand)
    #expect(usageError("check", "-", "--", "-")?.code == .extraOperand)
  }

  @Test("Help and the version can be requested anywhere, even if arguments are missing")
  func help() throws {
    #expect(try parse("check", "-h").wantsHelp)
    #expect(try parse("--help", "repair").command == .repair)
    #expect(try parse("diff", "--version").wantsVersion)
  }

  @Test("A value can start with a dash, contain an equals sign or look like an option")
  func values() throws {
    #expect(try parse("--value", "-1", "a")[.value] == "-1")
    #expect(try parse("--value=a=b", "a")[.value] == "a=b")
    #expect(try parse("--value=--ascii", "a")[.value] == "--ascii")
    #expect(try parse("--value", "--else", "a")[.value] == "--else")
    #expect(try parse("-o", "-", "a")[.output] == "-")
  }
}

@Suite("ShellText")
struct ShellTextTests {
  @Test(
    "A word is quoted only if a shell would change it",
    arguments: [
      ("swift", "swift"), ("--parallel", "--parallel"), ("a/b.c=1:2,@%+_", "a/b.c=1:2,@%+_"),
      ("", "''"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("$HOME", "'$HOME'"),
      ("~", "'~'"), ("*", "'*'"), ("ü", "'ü'"), (#"a\b"#, #"'a\b'"#),
      ("a\nb", #"$'a\012b'"#), ("'\t\\", #"$'\'\011\\'"#),
    ])
  func quotes(word: String, quoted: String) {
    #expect(ShellText.quoted(word) == quoted)
  }

  @Test("Quoted words are unchanged by a shell", .ownThread)
  func shell() throws {
    let words = [
      "", " ", "a b", "it's", "$(exit 1)", "`x`", "!", "a\nb\t", "\u{1}\u{7F}", "-n", "ü漢",
      RawPath.make([0x61, 0xE9, 0x27, 0x5C, 0x0A]), "#x", "{a,b}", "a;b&c|d>e<f",
    ]
    let script = "printf '%s\\0' \(ShellText.line(words))"
    let output = try ChildProcess("/bin/bash", ["-c", script]).finish().output
    let expected: [UInt8] = words.flatMap { (word: String) -> [UInt8] in RawPath.bytes(word) + [0] }
    #expect(output == expected)
  }
}

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

  @Test("The options of run are those of check without the filter, plus six more")
  func options() {
    let check = Set(CommandTable.ownOptions(of: .check).map(\.name)).subtracting([.filter])
    let run = Set(CommandTable.ownOptions(of: .run).map(\.name))
    #expect(run == check.union([.keep, .all, .leaks, .timeout, .totalTimeout, .full]))
  }
}
