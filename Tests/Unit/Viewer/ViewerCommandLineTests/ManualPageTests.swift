import Testing

@testable import ViewerCommandLine
@testable import ViewerConsole

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
