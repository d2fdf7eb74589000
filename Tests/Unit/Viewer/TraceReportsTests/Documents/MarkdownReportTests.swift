import TestSupport
import Testing
import ViewerTestSupport

@testable import TraceReports
@testable import ViewerConsole

@Suite("Markdown reports")
struct MarkdownReportTests {
  @Test("A Markdown report has the verdict, the findings, the lanes and the timeline")
  func whole() throws {
    let lines = try writeReport(.markdown, of: SampleLog.leak, columns: 60).lines
    #expect(
      lines.prefix(3) == [
        "# Trace report: search-sample (4242)", "", "**1 finding: 1 undisposed subscription**",
      ])
    #expect(
      lines.contains(
        """
        | error: undisposed | 9tb1pb | request | App/Model.swift:57 bind() | still active after \
        800 ms<br>Dispose it with its owner, as in .dispose(in: bag), or declare \
        lifetime: .process. | \
        `#2` |
        """
      ))
    #expect(lines.contains("| request | 2 | 1 |  | 1 |  |  | 1 | 200 ms | 200 ms |"))
    let fences = lines.indices.filter { lines[$0].hasPrefix("```") }
    #expect(fences.count == 2)
    #expect(lines[fences[0]] == "```text")
    #expect(lines[fences[0] + 1].hasPrefix("TIMELINE"))
  }

  @Test("A Markdown report is ASCII on request")
  func ascii() throws {
    let report = try writeReport(.markdown, of: SampleLog.leak, isASCII: true)
    #expect(report.out.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test("The tables of a Markdown report have a limit")
  func limit() throws {
    let lines = (1...100).map { SampleLog.subscribe($0, "lane \($0)", at: $0, line: $0) }
    let log = SampleLog.make(lines)
    let report = try writeReport(.markdown, of: log).lines
    #expect(report.contains("and 50 more findings"))
    #expect(report.contains("and 60 more lanes"))
    let limited = try writeReport(.markdown, of: log, ReportOptions(limit: 3)).lines
    #expect(limited.contains("and 97 more lanes"))
  }

  @Test("Text from a log doesn't create Markdown headings, links or mentions")
  func mentions() throws {
    let log = SampleLog.make([SampleLog.subscribe(1, "@octocat #1 https://x.y", at: 1)])
      .replacing("search-sample", with: "# big @heading")
    let lines = try writeReport(.markdown, of: log).lines
    let fence = try #require(lines.firstIndex { $0.hasPrefix("```") })
    #expect(lines.contains { $0.hasPrefix(##"- \# big @<!-- -->heading"##) })
    #expect(
      lines[..<fence].contains { $0.contains("@<!-- -->octocat #<!-- -->1 https:<!-- -->//x.y") })
    #expect(!lines[..<fence].contains { $0.contains("@octocat") || $0.contains("://") })
  }

  @Test("Text from a log can't break out of its table cell, nor the timeline out of its code block")
  func hostile() throws {
    let result = try writeReport(.markdown, of: HostileLog.text)
    #expect(!HostileLog.isObeyed(result.out))
    let fences = result.lines.indices.filter { result.lines[$0].hasPrefix("```") }
    let first = try #require(fences.first)
    #expect(result.lines[..<first].allSatisfy { !$0.contains("<img") && !$0.contains("</script") })
    #expect(result.lines.indices.last == fences.last)
    #expect(fences.count == 2)
    // The block uses a longer fence than any text in it.
    let ticks = SampleLog.make([SampleLog.subscribe(1, "````", at: 5)])
    #expect(try writeReport(.markdown, of: ticks).lines.last == "`````")
    for row in result.lines where row.hasPrefix("| error") || row.hasPrefix("| warning") {
      #expect(row.split(separator: " | ", omittingEmptySubsequences: false).count == 6)
    }
  }
}
