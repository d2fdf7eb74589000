import Foundation
import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Several logs")
struct SeveralLogsTests {
  private func read(_ texts: String...) throws -> (LogAnalysis, [LogError]) {
    let files = texts.enumerated().map {
      LogSource(name: "\($0).jsonl", bytes: Array($1.utf8))
    }
    return try LogAnalysis.read(files)
  }

  @Test("Several logs share one time axis, based on their wall clocks")
  func wallClock() throws {
    let later = SampleLog.ofAnother(SampleLog.leak, process: 2, secondsLater: 3)
    let (log, errors) = try read(later, SampleLog.clean)
    #expect(errors.isEmpty)
    #expect(log.logs.map(\.offset) == [3_000_000_000, 0])
    #expect(log.duration == Nanoseconds(4_000_000_000))
    #expect(log.lifecycles.map(\.start.count).prefix(2) == [3_000_000_000, 3_100_000_000])
    #expect(log.lifecycles.map(\.log) == [0, 0, 0, 0, 1, 1])
    #expect(log.age(of: log.lifecycles[2]) == Nanoseconds(800_000_000))
  }

  @Test("Subscriptions of different logs are distinct even if their numbers are equal")
  func sameNumbers() throws {
    let other = SampleLog.ofAnother(SampleLog.leak, process: 2)
    let (log, _) = try read(SampleLog.clean, other)
    let first = try #require(SubscriptionID(1))
    #expect(log.index(of: first, log: 0) == 0)
    #expect(log.index(of: first, log: 1) == 3)
    let second = try #require(SubscriptionID(2))
    let child = try #require(log.index(of: second, log: 1))
    #expect(log.parent(of: log.lifecycles[child]) == 3)
    #expect(log.name(of: log.lifecycles[child]) == "#2 of search-sample (2)")
    #expect(log.lastText(of: log.lifecycles[child]) == #"["a"]"#)
  }

  @Test("A log that is inconclusive doesn't make findings in other logs unproven")
  func doubts() throws {
    let died = SampleLog.ofAnother(SampleLog.died, process: 2)
    let leak = SampleLog.ofAnother(SampleLog.leak, process: 3)
    let verdict = Verdict(try read(SampleLog.clean, died, leak).0)
    #expect(verdict.doubts == [[], [.noEnd], []])
    #expect(verdict.findings.map(\.isProven) == [true, false])
    #expect(verdict.outcome == .findings)
    #expect(Verdict(try read(SampleLog.clean, died).0).outcome == .inconclusive)
    #expect(Verdict(try read(died).0).outcome(failOn: .any) == .findings)
  }

  @Test("Elements of a later log are counted at their own times")
  func timeline() throws {
    let later = SampleLog.ofAnother(SampleLog.clean, process: 2, secondsLater: 1)
    let (log, _) = try read(SampleLog.clean, later)
    let timeline = try Timeline(
      LogExcerpt(log), LaneSelection(LogExcerpt(log), limit: 9), suspects: [], columns: 20)
    let request = try #require(timeline.lanes.last)
    #expect(request.name == "request")
    let elements = request.rows.map(\.elements)
    let total: Int = elements.joined().reduce(0, +)
    #expect(total == 2)
    #expect(elements[0][3] == 1)
    #expect(elements[0][13] == 1)
  }

  @Test("A subscription that is active when its log ends is drawn only until that end")
  func ends() throws {
    let later = SampleLog.ofAnother(SampleLog.clean, process: 2, secondsLater: 9)
    let (log, _) = try read(SampleLog.leak, later)
    let excerpt = LogExcerpt(log)
    let timeline = try Timeline(
      excerpt, LaneSelection(excerpt, limit: 9), suspects: [], columns: 20)
    let settings = try #require(timeline.lanes.first { $0.name == "settings" })
    #expect(settings.rows[0].bars.map(\.columns) == [0...2])
    var filter = LogFilter()
    filter.times = TimeRange(
      from: Nanoseconds(5_000_000_000), through: Nanoseconds(6_000_000_000))
    #expect(try filter.excerpt(of: log).members.isEmpty)
    let diagram = try MarbleDiagram(
      log, window: TimeRange(from: .zero, through: log.duration), limit: nil)
    let row = try #require(diagram.rows.first { log.lifecycles[$0.index].site.lane == "settings" })
    #expect(row.end == Nanoseconds(1_000_000_000))
    #expect(row.state == .active)
  }

  @Test("A log can have any start time, even a distant or invalid one")
  func farApart() throws {
    for started in [
      "1700-01-01T00:00:00Z", "2262-04-11T23:47:16.999999999Z", "9999-12-31T23:59:59Z", "x",
    ] {
      let other = SampleLog.ofAnother(SampleLog.clean, process: 2)
        .replacing("2026-11-20T23:48:50.123456789Z", with: started)
      let (log, _) = try read(SampleLog.clean, other)
      #expect(log.lifecycles.count == 4)
    }
    let (log, _) = try read(
      SampleLog.ofAnother(SampleLog.clean, process: 1).replacing(
        "2026-11-20T23:48:50.123456789Z", with: "1700-01-01T00:00:00Z"),
      SampleLog.ofAnother(SampleLog.clean, process: 2).replacing(
        "2026-11-20T23:48:50.123456789Z", with: "2250-01-01T00:00:00Z"))
    #expect(log.logs.map(\.offset) == [0, 17_356_291_200_000_000_000])
  }

  @Test("A log whose file doesn't stay open is reopened, and replacing the file is an error")
  func notOpen() throws {
    let log = try TemporaryLog()
    try SampleLog.leak.write(toFile: log.path, atomically: false, encoding: .utf8)
    let source = try LogSource(path: log.path, staysOpen: false)
    #expect(try LogAnalysis.read(source).lifecycles.count == 4)
    try SampleLog.leak.write(toFile: log.path, atomically: true, encoding: .utf8)
    #expect(throws: LogError.self) { try LogAnalysis.read(source) }
  }

  @Test("Files that aren't logs are reported, and the other files are still read")
  func errors() throws {
    let (log, errors) = try read("nothing\n", SampleLog.clean, "")
    #expect(errors.map(\.code) == [.noTraceLog, .empty])
    #expect(errors.map(\.file) == ["0.jsonl", "2.jsonl"])
    #expect(log.logs.map(\.names) == [["1.jsonl"]])
    #expect(Verdict(log).outcome == .clean)
  }

  @Test(
    "A further file is empty without an error if the process was killed before writing to it",
    arguments: ["", String(repeating: "\n", count: 1000)])
  func unwrittenFile(_ text: String) throws {
    func errors(_ files: (String, String)...) throws -> [LogError.Code] {
      try LogAnalysis.read(files.map { LogSource(name: $0.0, bytes: Array($0.1.utf8)) })
        .errors.map(\.code)
    }
    let died = SampleLog.died
    #expect(try errors(("a.jsonl", died), ("a.part-2.jsonl", text)) == [])
    #expect(try errors(("a.part-12.jsonl", text), ("a.part-11.jsonl", died)) == [])
    #expect(try errors(("x/a.part-2", text), ("x/a", died)) == [])
    #expect(try errors(("a.jsonl", text), ("a.part-2.jsonl", died)) == [.empty])
    #expect(try errors(("b.jsonl", died), ("a.part-2.jsonl", text)) == [.empty])
    #expect(try errors(("a.jsonl", text), ("a.part-2.jsonl", text)) == [.empty, .empty])
    #expect(try errors(("a.part-2.jsonl", text)) == [.empty])
    let (log, _) = try LogAnalysis.read([
      LogSource(name: "a.jsonl", bytes: Array(died.utf8)),
      LogSource(name: "a.part-2.jsonl", bytes: Array(text.utf8)),
    ])
    #expect(Verdict(log).outcome == .inconclusive)
  }

  private func segment(_ number: Int, _ lines: [String], last: String) -> String {
    let header = SampleLog.header.dropLast() + #","segment":\#(number)}"#
    let end = #"{"t":900,"event":"\#(last)","records":\#(lines.count + 1),"lost":0}"#
    return ([String(header)] + lines + [end]).map { $0 + "\n" }.joined()
  }

  @Test("The files of one log are joined in any order")
  func segments() throws {
    let alive = SampleLog.subscribe(1, "a", at: 5).replacing("subscribe", with: "alive")
    let first = segment(
      1, [SampleLog.subscribe(1, "a", at: 5), SampleLog.next(1, "a", at: 6, "x")], last: "continued"
    )
    let second = segment(2, [alive, SampleLog.next(1, "a", at: 300, "y")], last: "continued")
    let third = segment(3, [alive, SampleLog.end("disposed", 1, "a", at: 500)], last: "end")
    for texts in [[first, second, third], [third, first, second]] {
      let (log, _) = try LogAnalysis.read(
        texts.map { LogSource(name: "x", bytes: Array($0.utf8)) })
      #expect(log.logs.count == 1)
      #expect(Verdict(log).doubts == [[]])
      #expect(Verdict(log).outcome == .clean)
      #expect(log.lifecycles.map(\.elements) == [2])
      #expect(log.lifecycles.map(\.start.count) == [5])
      #expect(log.damage == Damage())
    }
    // The last file alone is enough for a verdict. Without it, the verdict is inconclusive.
    #expect(Verdict(try read(third).0).outcome == .clean)
    #expect(Verdict(try read(second, third).0).outcome == .clean)
    #expect(Verdict(try read(first, second).0).doubts == [[.continues]])
    // Records before a missing file are left out, because each file repeats which subscriptions are
    // alive.
    let (log, _) = try read(first, third)
    #expect(Verdict(log).outcome == .clean)
    #expect(log.lifecycles.map(\.elements) == [0])
    #expect(log.sections.map { $0.damage.count(.beforeGap) } == [1, 0])
  }
}
