import Foundation
import TestSupport
import Testing

@testable import TraceAnalysis
@testable import ViewerCommandLine
@testable import ViewerConsole

/// Tests that compare pages with the program that they describe.
@Suite("Pages about the commands")
struct PagesTests {
  /// Returns the cells of the rows of a page's first table.
  private func rows(_ page: String) throws -> [[Substring]] {
    let text = try PackageFolder.text("Sources/ReactiveTrace/ReactiveTrace.docc/\(page).md")
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasPrefix("| ") }.prefix { $0.hasPrefix("|") }.dropFirst(2)
      .map { $0.split(separator: " | ").map { $0.trimmingPrefix("| ") } }
  }

  @Test("The page about rules lists all rules with their levels, in the order of the program")
  func rules() throws {
    let listed = try rows("Rules").map { $0.prefix(2).joined(separator: " ") }
    #expect(listed == RuleBook.rules.map { "`\($0.id)` \($0.level)" })
  }

  @Test("The page about commands lists all commands", arguments: CommandSpec.Name.allCases)
  func commands(command: CommandSpec.Name) throws {
    let listed = try rows("Commands").compactMap(\.first)
    #expect(listed.contains { $0.hasPrefix("`trace-viewer \(command.rawValue)") })
  }

  @Test("The README shows what the program prints about the bundled log")
  func readme() throws {
    let log = "Samples/Logs/search-leak.jsonl"
    let parts = try PackageFolder.text("README.md").components(separatedBy: "```\n")
    let command = try #require(parts.firstIndex { $0 == "trace-viewer check \(log)\n" })
    let shown = run("check", PackageFolder.url.appending(path: log).path)
    #expect(shown.code == .findings)
    #expect(parts[command + 2] == shown.out)
  }
}
