import TestSupport
import Testing

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceReports
@testable import ViewerConsole

@Suite("LogReport")
struct LogReportTests {
  private func report(_ text: String, width: Int, glyphs: Glyphs = .unicode) throws -> [String] {
    let log = try LogAnalysis.read(LogSource(name: "run.jsonl", bytes: Array(text.utf8)))
    let page = Page(width: width, glyphs: glyphs)
    return try LogReport(LogExcerpt(log), Verdict(log), page: page).lines(page)
      .map { $0.render(color: false, setsColumn: false) }
  }

  @Test("A report in eighty columns has a header, a timeline, a table and findings")
  func eighty() throws {
    #expect(
      try report(SampleLog.leak, width: 80) == [
        "search-sample · pid 4242 on ci-7 · started 2026-11-20 23:48:50 UTC",
        "lasted 1 s · 10 records · 4 subscriptions (2 still active)",
        "ended cleanly",
        "",
        "TIMELINE      0            200 ms       400 ms       600 ms       800 ms     1 s",
        "              ┬────────────┬────────────┬────────────┬────────────┬────────────┬",
        "settings      ├────────────────────────────────────────────────────────────────▶",
        "results       ┊     ├────────────────────────────────────────────────────■     ┊",
        "└ request     ┊            ├─────•─────────────────────────────────────────────!",
        "              ┊            ┊            ├────────────✗            ┊            ┊",
        "",
        "✗ failed   ■ disposed   ▶ still active   ! leak   • an element",
        "",
        "LANE      START  ACT  COMPL  FAIL  DISP  RELE  ELEM   SHORT  MEDIAN    LONG",
        "settings      1    1      ·     ·     ·     ·     ·       ·       ·       ·",
        "results       1    ·      ·     ·     1     ·     ·  800 ms  800 ms  800 ms",
        "request       2    1      ·     1     ·     ·     1  200 ms  200 ms  200 ms",
        "total         4    2      ·     1     1     ·     1  200 ms  200 ms  800 ms",
        "",
        "FINDINGS  1 finding: 1 undisposed subscription",
        "error[undisposed]  9tb1pb  request  App/Model.swift:57  bind()",
        "  still active after 800 ms",
        "    #2 · since 200 ms · 1 element",
        "      made for #1 results (App/Model.swift:42)",
        #"      run.jsonl:6  next at 300 ms: ["a"]"#,
        "    fix: Dispose it with its owner, as in .dispose(in: bag), or declare",
        "    lifetime: .process.",
      ])
  }

  @Test("A report about a process that died doesn't call anything a leak")
  func died() throws {
    let lines = try report(SampleLog.died, width: 80)
    #expect(lines[2] == "no end: the process died or is still running")
    #expect(lines.contains("unproven[undisposed]  9tb1pb  request  App/Model.swift:57  bind()"))
    #expect(!lines.contains { $0.contains("leak") || $0.contains("error[") })
    #expect(!lines.contains { $0.hasSuffix("!") })
  }

  @Test("An ASCII report that is twenty columns wide still shows lanes and bars")
  func twenty() throws {
    let lines = try report(SampleLog.leak, width: 20, glyphs: .ascii)
    let axis = try #require(lines.firstIndex { $0.hasPrefix("TIMELINE") })
    #expect(
      lines[axis..<axis + 6] == [
        "TIMELINE  0      1 s",
        "          +--------+",
        "settings  +-------->",
        "results   :+-------#",
        "- ...est  : +o-----!",
        "          :   +-X  :",
      ])
  }

  @Test("A report never exceeds the width of the terminal", arguments: [10, 20, 40, 80, 100, 200])
  func widths(width: Int) throws {
    let wide = SampleLog.make([
      SampleLog.subscribe(1, "日本語の車線の名前はとても長い日本語の車線の名前はとても長い", at: 5),
      SampleLog.subscribe(2, String(repeating: "long.", count: 50), at: 6, #","parent":1"#),
      SampleLog.next(2, "x", at: 7, String(repeating: "value ", count: 40)),
    ])
    for text in [SampleLog.leak, SampleLog.clean, SampleLog.died, wide] {
      for glyphs in [Glyphs.unicode, .ascii] {
        let lines = try report(text, width: width, glyphs: glyphs)
        let widest = lines.map { DisplayWidth.columns(of: $0) }.max() ?? 0
        #expect(widest <= width)
      }
    }
  }

  @Test("A report of ten thousand subscriptions is short")
  func manySubscriptions() throws {
    let lines = (1...10_000).map { SampleLog.subscribe($0, "lane \($0 % 3)", at: $0, line: $0 % 3) }
    let report = try report(SampleLog.make(lines), width: 100)
    #expect(report.count < 64)
    #expect(report.contains { $0.hasPrefix("+3,329 more") })
    #expect(report.contains { $0.contains("and 3,330 later ones at this location") })
  }

  @Test("A report of a thousand lanes is short")
  func manyLanes() throws {
    let lines = (1...1000).flatMap {
      [
        SampleLog.subscribe($0, "lane \($0)", at: $0),
        SampleLog.end("completed", $0, "lane \($0)", at: $0 + 5),
      ]
    }
    let report = try report(SampleLog.make(lines), width: 100)
    #expect(report.count < 110)
    #expect(report.contains("+960 more lanes with 960 subscriptions"))
  }

  @Test("A report of a log without subscriptions says what to do")
  func empty() throws {
    let lines = try report(SampleLog.make([]), width: 80)
    #expect(lines.last?.hasPrefix("The log has no subscriptions.") == true)
  }

  @Test("A report doesn't contain control characters or CI commands from the log")
  func hostile() throws {
    let lines = try report(
      SampleLog.make([
        SampleLog.subscribe(1, #"\u001b[2J\u202e\n::error::"#, at: 5),
        SampleLog.subscribe(2, "::error::x", at: 6),
        SampleLog.next(1, "x", at: 7, #"\u001b]0;title\u0007"#),
      ]), width: 100)
    #expect(!lines.contains { $0.utf8.contains { $0 < 0x20 || $0 == 0x7F } })
    #expect(!lines.contains { $0.unicodeScalars.contains("\u{202E}") })
    #expect(!lines.contains { $0.drop { $0 == " " }.hasPrefix("::") })
  }
}
