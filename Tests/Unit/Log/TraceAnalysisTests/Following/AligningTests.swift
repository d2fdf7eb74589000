import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Logs that begin at time 0")
struct AligningTests {
  private func snapshot(_ texts: [String]) throws -> LogSnapshot {
    let files = texts.enumerated().map { number, text in
      LogSource(name: "\(number).jsonl", bytes: Array(text.utf8))
    }
    let growing = GrowingLog(files, firstBatch: 4 << 20)
    var snapshot = LogSnapshot.empty
    while let next = try growing.advance() { snapshot = next }
    return snapshot
  }

  private let lines = [
    #"{"t":100,"event":"scope-begin","scope":1,"name":"checkout"}"#,
    SampleLog.subscribe(1, "query", at: 200),
    SampleLog.next(1, "query", at: 250, "a"),
    #"{"t":260,"event":"mark","name":"typed"}"#,
    SampleLog.subscribe(2, "request", at: 300),
    SampleLog.end("failed", 2, "request", at: 700_000_000),
    #"{"t":800000000,"event":"scope-end","scope":1}"#,
  ]

  @Test("Each log has the times that it has alone")
  func times() throws {
    let alone = try snapshot([SampleLog.make(lines)])
    let both = try snapshot([
      SampleLog.make(lines),
      SampleLog.ofAnother(SampleLog.make(lines), process: 7, secondsLater: 5),
    ])
    #expect(both.hasSeparateRuns)
    #expect(!both.isAligned)
    #expect(both.analysis.duration.count == 6_000_000_000)
    let aligned = both.aligned
    #expect(aligned.isAligned)
    #expect(aligned.analysis.duration == alone.analysis.duration)
    #expect(aligned.onOneAxis.duration == both.analysis.duration)
    #expect(
      aligned.onOneAxis.lifecycles.map(\.start) == both.analysis.lifecycles.map(\.start))
    let count = alone.analysis.lifecycles.count
    for index in aligned.analysis.lifecycles.indices {
      let (lifecycle, same) = (
        aligned.analysis.lifecycles[index], alone.analysis.lifecycles[index % count]
      )
      #expect(lifecycle.start == same.start)
      #expect(lifecycle.end == same.end)
      #expect(aligned.analysis.lastMoment(of: lifecycle) == alone.analysis.lastMoment(of: same))
      #expect(
        aligned.elements.next(after: .zero, of: index)
          == alone.elements.next(after: .zero, of: index % count))
    }
    #expect(aligned.analysis.marks.map(\.time.count) == [260, 260])
    #expect(aligned.analysis.scopes.map(\.begin?.count) == [100, 100])
    #expect(aligned.analysis.scopes.map(\.end?.count) == [800_000_000, 800_000_000])
    let events = try EventReader(aligned).events(
      after: LogEvent.Position(before: .zero), maxCount: 100, members: nil, where: { _ in true },
      includesOthers: true)
    let expected = try EventReader(alone).events(
      after: LogEvent.Position(before: .zero), maxCount: 100, members: nil, where: { _ in true },
      includesOthers: true)
    #expect(events.map(\.time) == expected.flatMap { [$0.time, $0.time] })
  }

  @Test("Only logs that would be dots on one axis are separate runs")
  func separate() throws {
    let text = SampleLog.make(lines)
    #expect(!(try snapshot([text]).hasSeparateRuns))
    let close = SampleLog.ofAnother(text, process: 7, secondsLater: 1)
    #expect(!(try snapshot([text, close]).hasSeparateRuns))
    let later = SampleLog.ofAnother(text, process: 7, secondsLater: 2)
    #expect(try snapshot([text, later]).hasSeparateRuns)
  }
}
