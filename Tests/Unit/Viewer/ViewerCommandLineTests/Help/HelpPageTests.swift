import Testing

@testable import TerminalUI
@testable import ViewerCommandLine
@testable import ViewerConsole

@Suite("HelpPage")
struct HelpPageTests {
  /// Returns the lines of the help of a command, or of the program.
  private func help(_ command: CommandSpec.Name?, columns: Int = 80) -> [String] {
    let page = HelpPage(command: command.flatMap { CommandTable.command($0) })
    return page.lines(Page(width: columns, glyphs: .unicode))
      .map { $0.render(color: false, setsColumn: false) }
  }

  @Test("The help of the program fits on one screen")
  func oneScreen() {
    let lines = help(nil)
    #expect(lines.count <= 56)
    for command in CommandTable.commands {
      #expect(lines.contains { $0.hasPrefix("  \(command.name.rawValue) ") })
    }
  }

  @Test("The help of a command starts with examples", arguments: CommandSpec.Name.allCases)
  func examples(command: CommandSpec.Name) {
    let lines = help(command)
    #expect(lines.first == CommandTable.command(command)?.summary)
    #expect(lines.dropFirst(2).first == "EXAMPLES")
  }

  @Test(
    "The help of a command lists its own options before the common ones",
    arguments: CommandSpec.Name.allCases)
  func options(command: CommandSpec.Name) throws {
    let lines = help(command)
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

  @Test("The help of every command fits any width", arguments: [10, 20, 40, 60, 80, 200])
  func widths(width: Int) {
    for command in CommandSpec.Name.allCases {
      let lines = help(command, columns: width)
      #expect(
        lines.allSatisfy { DisplayWidth.columns(of: $0) <= width && !$0.hasSuffix(" ") },
        "\(command)")
    }
  }

  @Test("The help shows the values of options and the exit codes of a command")
  func details() {
    let check = help(.check)
    #expect(check.contains { $0.hasPrefix("  -f, --format=FORMAT ") })
    #expect(check.contains { $0.contains("gitlab, markdown, dot.") })
    #expect(check.contains { $0.hasPrefix("  2    inconclusive") })
    #expect(!help(.report).contains { $0.hasPrefix("  2    inconclusive") })
    let usage = "trace-viewer repair --output=FILE [OPTIONS] LOG"
    #expect(help(.repair).contains { $0.contains(usage) })
    for command in CommandSpec.Name.allCases {
      #expect(help(command).contains { $0.hasPrefix("  143  ") })
    }
  }
}

@Suite("ManualPage")
struct ManualPageTests {
  private let lines = ManualPage.text.split(
    separator: "\n", omittingEmptySubsequences: false
  ).map(String.init)

  @Test("The manual page has all usual headings in the usual order")
  func headings() {
    #expect(
      lines.filter { $0.hasPrefix(".Sh ") } == [
        ".Sh NAME", ".Sh SYNOPSIS", ".Sh DESCRIPTION", ".Sh ENVIRONMENT", ".Sh EXIT STATUS",
        ".Sh EXAMPLES",
      ])
  }

  @Test("The manual page has every command, option, exit code and example")
  func complete() {
    for command in CommandTable.commands {
      #expect(lines.contains(".It Cm \(command.name.rawValue)"))
    }
    for option in CommandTable.options {
      for spelling in option.spellings {
        #expect(ManualPage.text.contains("Fl \\-\(spelling)"), "\(spelling)")
      }
    }
    for code in CommandTable.exitCodes { #expect(lines.contains(".It \(code.code)")) }
    #expect(
      lines.contains("trace\\-viewer run.jsonl \\-\\-lane=\\(aqsearch.*\\(aq \\-\\-from=1.5s"))
  }

  @Test("The manual page closes every list and doesn't have empty lines")
  func form() {
    #expect(lines.count { $0.hasPrefix(".Bl ") } == lines.count { $0 == ".El" })
    #expect(lines.count { $0.hasPrefix(".Bd ") } == lines.count { $0 == ".Ed" })
    #expect(lines.last?.isEmpty == true)
    #expect(!lines.dropLast().contains { $0.isEmpty || $0.hasSuffix(" ") })
  }
}
