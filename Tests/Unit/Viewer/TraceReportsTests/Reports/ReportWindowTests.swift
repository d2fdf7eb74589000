import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat
@testable import TraceReports
@testable import ViewerConsole

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

  private func report(
    _ format: ReportFormat, times: TimeRange = ReportWindowTests.times(40, 50),
    _ options: ReportOptions = ReportOptions()
  ) throws -> Written {
    try writeReport(format, of: Self.log, times: times, options, columns: 120)
  }

  /// Returns a range of times in tenths of a second.
  private static func times(_ start: Int, _ end: Int) -> TimeRange {
    TimeRange(
      from: Nanoseconds(UInt64(start * second / 10)),
      through: Nanoseconds(UInt64(end * second / 10)))
  }

  private static let caption = "from 4 s to 5 s: starts, ends and elements in this time range"

  @Test("The text table counts events in the time range and has a caption")
  func text() throws {
    let lines = try report(.text).lines
    let head = try #require(lines.firstIndex { $0.hasPrefix("LANE ") })
    let cells = lines[head + 1].split(separator: " ").map(String.init)
    #expect(cells == ["ticks", "1", "2", "·", "·", "·", "·", "2", "·", "·", "·"])
    #expect(lines[..<head].contains { $0.hasPrefix(Self.caption) })
    #expect(lines.contains { $0.contains("0 elements in all") })
  }

  @Test("A JSON report of a time range also has the numbers for whole lifetimes")
  func json() throws {
    let out = try report(.json).out
    #expect(
      out.contains(
        #"""
        {"lane": "ticks", "subscriptions": 2, "started": 1, "active": 2, "completed": 0, \#
        "failed": 0, "disposed": 0, "released": 0, "elements": 2}
        """#
      ))
    #expect(out.contains(#""elements": 2, "allElements": 7"#))
  }

  @Test("A Markdown report of a time range has its numbers and a caption")
  func markdown() throws {
    let lines = try report(.markdown).lines
    #expect(lines.contains("| ticks | 1 | 2 |  |  |  |  | 2 |  |  |"))
    #expect(lines.contains { $0.hasPrefix(Self.caption) })
  }

  @Test("An HTML report of a time range has its numbers and a caption")
  func html() throws {
    let out = try report(.html).out
    #expect(out.contains(#""caption":"\#(Self.caption)"#))
    #expect(out.contains(#""subscriptions":2,"started":1,"active":2"#))
    #expect(out.contains(#""elements":2}"#))
  }

  @Test(
    "A report of all of time doesn't have a caption", arguments: [ReportFormat.text, .markdown])
  func whole(format: ReportFormat) throws {
    let out = try report(format, times: .always).out
    #expect(!out.contains("in this time"))
    #expect(!out.contains("in all"))
  }

  @Test("Sorting uses the elements in the time range")
  func sorting() throws {
    let out = try report(.json, times: Self.times(45, 50), ReportOptions(order: .elements)).out
    #expect(out.contains(#""elements": 1, "allElements": 7"#))
  }
}
