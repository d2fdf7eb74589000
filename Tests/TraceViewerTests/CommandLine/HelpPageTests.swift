import Testing

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerCommandLine
@testable import ViewerConsole

@Suite("HelpPage")
struct HelpPageTests {
  @Test("The help of the program fits on one screen")
  func oneScreen() {
    let lines = run("--help").lines
    #expect(lines.count <= 50)
    for command in CommandTable.commands {
      #expect(lines.contains { $0.hasPrefix("  \(command.name.rawValue) ") })
    }
  }

  @Test(
    "The help of a command starts with examples",
    arguments: CommandSpec.Name.allCases)
  func examples(command: CommandSpec.Name) {
    let lines = run("help", command.rawValue).lines
    #expect(lines.first == CommandTable.command(command)?.summary)
    #expect(lines.dropFirst(2).first == "EXAMPLES")
  }

  @Test(
    "The help of a command lists its own options before the common ones",
    arguments: CommandSpec.Name.allCases)
  func options(command: CommandSpec.Name) throws {
    let lines = run(command.rawValue, "--help").lines
    let common = try #require(lines.firstIndex(of: "COMMON OPTIONS"))
    let own = CommandTable.ownOptions(of: command)
    let first = lines.firstIndex(of: "OPTIONS")
    #expect((first == nil) == own.isEmpty)
    for option in own {
      let index = lines.firstIndex { $0.contains("\(option.spelling)") && $0.hasPrefix("  ") }
      #expect(index.map { $0 < common } == true, "\(option.spelling)")
    }
    for option in CommandTable.options where !option.belongs(to: command) {
      let spelling = "      \(option.spelling)="
      #expect(
        own.contains { $0.spelling == option.spelling }
          || !lines.contains { $0.hasPrefix(spelling) }, "\(option.spelling)")
    }
  }

  @Test(
    "The help of every command fits any width",
    arguments: [10, 20, 40, 60, 80, 200])
  func widths(width: Int) {
    for command in CompletionScript.commandNames {
      let lines = run("help", command, columns: width).lines
      #expect(
        lines.allSatisfy { DisplayWidth.columns(of: $0) <= width && !$0.hasSuffix(" ") },
        "\(command)")
    }
  }

  @Test("The help shows what options take and which exit codes a command has")
  func details() {
    let check = run("help", "check").out
    #expect(check.contains("  -f, --format=FORMAT "))
    #expect(check.contains("gitlab, markdown."))
    #expect(check.contains("  2    inconclusive"))
    #expect(!run("help", "report").out.contains("  2    inconclusive"))
    #expect(run("help", "repair").out.contains("trace-viewer repair --output=FILE [OPTIONS] LOG"))
    for command in CompletionScript.commandNames {
      #expect(run("help", command).out.contains("  143  "))
    }
  }

  @Test("Help for an unknown command is an error with a suggestion")
  func unknown() {
    let result = run("help", "nope")
    #expect(result.code == .usage)
    #expect(result.out.isEmpty)
    #expect(
      run("help", "chekc").error.hasPrefix("Error: Unknown command 'chekc'. Did you mean 'check'?"))
  }
}
