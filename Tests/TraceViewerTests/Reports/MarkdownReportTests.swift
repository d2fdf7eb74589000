import TestSupport
import Testing

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Markdown reports")
struct MarkdownReportTests {
  @Test("The report has the verdict, the findings, the lanes and the timeline")
  func whole() {
    let file = TemporaryFile(SampleLog.leak)
    let lines = run("report", "-f", "markdown", file.path, columns: 60).lines
    #expect(
      lines.prefix(3) == [
        "# Trace report: search-sample (4242)", "", "**1 undisposed subscription**",
      ])
    #expect(
      lines.contains(
        """
        | error: undisposed | request | App/Model.swift:57 bind() | still active after 800 \
        ms<br>Dispose it with its owner, as in .dispose(in: bag), or declare lifetime: .process. | \
        `#2` |
        """
      ))
    #expect(lines.contains("| request | 2 | 1 |  | 1 |  |  | 1 | 200 ms | 200 ms |"))
    let fences = lines.indices.filter { lines[$0].hasPrefix("```") }
    #expect(fences.count == 2)
    #expect(lines[fences[0]] == "```text")
    #expect(lines[fences[0] + 1].hasPrefix("TIMELINE"))
  }

  @Test("The report is ASCII on request")
  func ascii() {
    let file = TemporaryFile(SampleLog.leak)
    #expect(run("report", "-f", "markdown", "--ascii", file.path).out.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test("The tables have a limit")
  func limit() {
    let lines = (1...100).map { SampleLog.subscribe($0, "lane \($0)", at: $0, line: $0) }
    let file = TemporaryFile(SampleLog.make(lines))
    let report = run("report", "-f", "markdown", file.path).lines
    #expect(report.contains("and 50 more locations"))
    #expect(report.contains("and 60 more lanes"))
    #expect(
      run("report", "-f", "markdown", "--limit=3", file.path).lines.contains("and 97 more lanes"))
  }

  @Test("Texts of a log don't make headings or links or mention people")
  func mentions() throws {
    let log = SampleLog.make([SampleLog.subscribe(1, "@octocat #1 https://x.y", at: 1)])
      .replacing("search-sample", with: "# big @heading")
    let file = TemporaryFile(log)
    let lines = run("report", "-f", "markdown", file.path).lines
    let fence = try #require(lines.firstIndex { $0.hasPrefix("```") })
    #expect(lines.contains { $0.hasPrefix(##"- \# big @<!-- -->heading"##) })
    #expect(
      lines[..<fence].contains { $0.contains("@<!-- -->octocat #<!-- -->1 https:<!-- -->//x.y") })
    #expect(!lines[..<fence].contains { $0.contains("@octocat") || $0.contains("://") })
  }

  @Test("Texts of a log stay in their cells, and the timeline stays in its block")
  func hostile() throws {
    let file = TemporaryFile(HostileLog.text)
    let result = run("report", "-f", "markdown", file.path)
    #expect(!HostileLog.isObeyed(result.out))
    let fences = result.lines.indices.filter { result.lines[$0].hasPrefix("```") }
    let first = try #require(fences.first)
    #expect(result.lines[..<first].allSatisfy { !$0.contains("<img") && !$0.contains("</script") })
    #expect(result.lines.indices.last == fences.last)
    #expect(fences.count == 2)
    // The block uses a longer fence than any text in it.
    let ticks = TemporaryFile(SampleLog.make([SampleLog.subscribe(1, "````", at: 5)]))
    #expect(run("report", "-f", "markdown", ticks.path).lines.last == "`````")
    for row in result.lines where row.hasPrefix("| error") || row.hasPrefix("| warning") {
      #expect(row.split(separator: " | ", omittingEmptySubsequences: false).count == 5)
    }
  }
}
