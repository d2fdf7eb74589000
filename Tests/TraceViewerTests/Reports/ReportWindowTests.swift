import TestSupport
import Testing

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat

/// Tests of a time range in each report format. The numbers must agree, and a caption must explain
/// them.
@Suite("Reports of a time range")
struct ReportWindowTests {
  private static let second = 1_000_000_000

  /// Seven elements, two of them between 4 and 5 s. A second subscription begins at 4.5 s.
  private static let log = SampleLog.make(
    [SampleLog.subscribe(1, "ticks", at: second)]
      + [15, 20, 25, 42, 45].map { SampleLog.next(1, "ticks", at: $0 * second / 10, "x") }
      + [SampleLog.subscribe(2, "ticks", at: 45 * second / 10)]
      + [52, 56].map { SampleLog.next(1, "ticks", at: $0 * second / 10, "x") }
      + [SampleLog.end("completed", 1, "ticks", at: 6 * second)])

  private let file = TemporaryFile(log)

  private func report(_ format: String, _ options: [String] = ["--from=4s", "--to=5s"]) -> RunResult
  {
    run(["report", "-f", format, file.path] + options, columns: 120)
  }

  private static let caption = "from 4 s to 5 s: starts, ends and elements in this time range"

  @Test("The text table counts events in the time range and has a caption")
  func text() throws {
    let lines = report("text").lines
    let head = try #require(lines.firstIndex { $0.hasPrefix("LANE ") })
    let cells = lines[head + 1].split(separator: " ").map(String.init)
    #expect(cells == ["ticks", "1", "2", "·", "·", "·", "·", "2", "·", "·", "·"])
    #expect(lines[..<head].contains { $0.hasPrefix(Self.caption) })
    #expect(lines.contains { $0.contains("0 elements in all") })
  }

  @Test("JSON has the same numbers, and separate numbers for whole lifetimes")
  func json() throws {
    let out = report("json").out
    #expect(
      out.contains(
        #"""
        {"lane": "ticks", "subscriptions": 2, "started": 1, "active": 2, "completed": 0, \#
        "failed": 0, "disposed": 0, "released": 0, "elements": 2}
        """#
      ))
    #expect(out.contains(#""elements": 2, "allElements": 7"#))
  }

  @Test("Markdown has the same numbers and a caption")
  func markdown() {
    let lines = report("markdown").lines
    #expect(lines.contains("| ticks | 1 | 2 |  |  |  |  | 2 |  |  |"))
    #expect(lines.contains { $0.hasPrefix(Self.caption) })
  }

  @Test("HTML has the same numbers and a caption")
  func html() {
    let out = report("html").out
    #expect(out.contains(#""caption":"\#(Self.caption)"#))
    #expect(out.contains(#""subscriptions":2,"started":1,"active":2"#))
    #expect(out.contains(#""elements":2}"#))
  }

  @Test(
    "A report of all of time doesn't have a caption",
    arguments: ["text", "markdown"])
  func whole(format: String) {
    let out = report(format, []).out
    #expect(!out.contains("in this time"))
    #expect(!out.contains("in all"))
  }

  @Test("Sorting uses the elements in the time range")
  func sorting() {
    let out = report("json", ["--from=4.5s", "--to=5s", "--sort=elements"]).out
    #expect(out.contains(#""elements": 1, "allElements": 7"#))
  }
}
