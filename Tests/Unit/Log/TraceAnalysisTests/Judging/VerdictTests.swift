import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Verdict")
struct VerdictTests {
  private func verdict(_ text: String) throws -> Verdict {
    Verdict(try analyze(text))
  }

  @Test("A log is clean if every subscription ended")
  func clean() throws {
    #expect(try verdict(SampleLog.clean).outcome == .clean)
    #expect(try verdict(SampleLog.make([])).outcome == .clean)
  }

  @Test("A subscription that is active at a clean end is a finding unless its lifetime allows it")
  func findings() throws {
    let verdict = try verdict(SampleLog.leak)
    #expect(verdict.outcome == .findings)
    #expect(verdict.findings.map(\.lifecycle) == [2])
    #expect(verdict.findings.map(\.rule) == ["undisposed"])
  }

  @Test("A log without an end is inconclusive, but active subscriptions are still named")
  func noEnd() throws {
    let verdict = try verdict(SampleLog.died)
    #expect(verdict.outcome == .inconclusive)
    #expect(verdict.doubts == [[.noEnd]])
    #expect(verdict.findings.map(\.lifecycle) == [2])
  }

  @Test("A log with lost records is inconclusive, regardless of which record reports the loss")
  func lost() throws {
    let event = #"{"t":5,"event":"lost","count":3,"reason":"disk full"}"#
    #expect(try verdict(SampleLog.make([event])).doubts == [[.lost(3)]])
    let end = SampleLog.header + "\n" + #"{"t":9,"event":"end","records":1,"lost":4}"#
    #expect(try verdict(end).doubts == [[.lost(4)]])
  }

  @Test("A log that replaced others is inconclusive, but findings in it are still proven")
  func replaced() throws {
    func replacing(_ count: Int, _ log: String) -> String {
      log.replacing(
        #""lost":0}"#, with: #""lost":0,"run":"7-1","replaced":\#(count)}"#, maxReplacements: 1)
    }
    let clean = try verdict(replacing(2, SampleLog.clean))
    #expect(clean.outcome == .inconclusive)
    #expect(clean.doubts == [[.replaced(2)]])
    #expect(try verdict(replacing(0, SampleLog.clean)).outcome == .clean)
    let leak = try verdict(replacing(1, SampleLog.leak))
    #expect(leak.outcome == .findings)
    #expect(leak.findings.map(\.isProven) == [true])
  }

  @Test("A log without a search for stuck tasks is inconclusive, but findings in it are proven")
  func unknownTasks() throws {
    func unknown(_ log: String) -> String {
      log.replacing(#""event":"end","#, with: #""event":"end","reason":"time","#)
    }
    let clean = try verdict(unknown(SampleLog.clean))
    #expect(clean.outcome == .inconclusive)
    #expect(clean.doubts == [[.unknownTasks(.time)]])
    let undoubted = Verdict(
      try analyze(unknown(SampleLog.clean)), rules: RuleBook.rules.filter { $0.id == "undisposed" })
    #expect(undoubted.outcome == .clean)
    let leak = try verdict(unknown(SampleLog.leak))
    #expect(leak.outcome == .findings)
    #expect(leak.findings.map(\.isProven) == [true])
  }

  @Test("Missing records make a log inconclusive, but a stray line doesn't")
  func damage() throws {
    var lines = SampleLog.clean.split(separator: "\n").map(String.init)
    lines.insert("printed by the program", at: 3)
    #expect(try verdict(lines.joined(separator: "\n")).outcome == .clean)
    lines.remove(at: 4)
    #expect(try verdict(lines.joined(separator: "\n")).doubts == [[.missing(1)]])
    lines.remove(at: 3)
    #expect(try verdict(lines.joined(separator: "\n")).doubts == [[.missing(1)]])
  }

  @Test("Two logs in one file are inconclusive if the second header is lost")
  func mixed() throws {
    let first = SampleLog.leak.dropLast()
    let text = first + SampleLog.ofAnother(SampleLog.clean, process: 2)
    #expect(try verdict(String(text)).outcome == .inconclusive)
    let without =
      SampleLog.leak + SampleLog.clean.split(separator: "\n").dropFirst().joined(separator: "\n")
    #expect(try verdict(without).outcome != .clean)
  }

  @Test("Skipped lines that the log doesn't account for make it inconclusive")
  func uncounted() throws {
    let text = SampleLog.header + "\nnonsense\n" + #"{"t":9,"event":"end"}"#
    #expect(try verdict(text).doubts == [[.skipped(1)]])
  }

  @Test("A log that is truncated before its end is never clean")
  func truncated() throws {
    let bytes = Array(SampleLog.clean.utf8.dropLast())
    for length in SampleLog.header.utf8.count..<bytes.count {
      let file = LogSource(name: "x", bytes: Array(bytes[..<length]))
      #expect(Verdict(try LogAnalysis.read(file)).outcome == .inconclusive, "\(length)")
    }
  }

  @Test("Findings are grouped by the place that made them, oldest first")
  func suspects() throws {
    let log = try analyze(
      SampleLog.make([
        SampleLog.subscribe(1, "a", at: 9, line: 1), SampleLog.subscribe(2, "b", at: 3, line: 2),
        SampleLog.subscribe(3, "a", at: 5, line: 1),
      ]))
    let groups = FindingGroup.groups(of: Verdict(log).findings, in: log)
    #expect(groups.map(\.site.lane) == ["a", "b"])
    let ids = groups.map { $0.findings.map { log.lifecycles[$0.lifecycle].id.number } }
    #expect(ids == [[3, 1], [2]])
  }
}
