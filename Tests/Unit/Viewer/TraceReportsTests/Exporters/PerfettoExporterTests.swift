import TestSupport
import Testing
import ViewerTestSupport

@testable import TerminalUI
@testable import TraceReports
@testable import ViewerConsole

@Suite("Export for Perfetto")
struct PerfettoExporterTests {
  private func trace(_ texts: String...) throws -> PerfettoTrace {
    let output = Output(descriptor: nil)
    try ExportFormat.perfetto.export(try ExportedLog.selection(texts), to: output)
    let trace = try #require(PerfettoTrace(output.bytes))
    #expect(trace.faults == [])
    return trace
  }

  @Test("A Perfetto trace has a process for the log and a named track for each subscription")
  func tracks() throws {
    let tracks = try trace(ExportSamples.sample).tracks
    #expect(tracks[1] == .init(process: "search-sample", pid: 4242))
    #expect(tracks[2] == .init(name: "scopes", parent: 1))
    #expect(tracks[3] == .init(name: "results", parent: 1))
    #expect(tracks[4] == .init(name: "request", parent: 1))
    #expect(tracks.count == 4)
  }

  @Test("A Perfetto trace has slices for lifetimes, instants for elements, and arrows for causes")
  func events() throws {
    let trace = try trace(ExportSamples.sample)
    let thread = ["thread": "1", "thread_name": "main"]
    let type = ["type": "Int"]
    #expect(
      trace.events == [
        .init(time: 3600, type: "instant", track: 1, name: "typed"),
        .init(time: 10, type: "begin", track: 2, name: "launch", annotations: ["scope": "1"]),
        .init(time: 4500, type: "end", track: 2, name: ""),
        .init(
          time: 1000, type: "begin", track: 3, name: "results",
          annotations: ["subscription": "1"] + thread + type,
          source: "App/Model.swift:42 bind()"),
        .init(
          time: 2500, type: "instant", track: 3, name: "next",
          annotations: ["subscription": "1", "value": "a", "thread": "2"], flows: [4]),
        .init(
          time: 3000, type: "begin", track: 4, name: "request",
          annotations: ["subscription": "2", "parent": "1", "cause": "1", "scope": "launch"]
            + thread + type, source: "App/Model.swift:57 bind()", endingFlows: [4]),
        .init(
          time: 3500, type: "instant", track: 4, name: "next",
          annotations: ["subscription": "2", "value": "cu", "truncated": "900"] + thread),
        .init(
          time: 3700, type: "instant", track: 1, name: "lost",
          annotations: ["count": "2", "reason": "disk full"]),
        .init(
          time: 4000, type: "end", track: 4, name: "",
          annotations: ["end": "failed", "error": "Timeout()"] + thread),
      ])
  }

  @Test("An arrow starts at the last element before it in time, regardless of the file's order")
  func arrows() throws {
    let log = SampleLog.make([
      SampleLog.subscribe(1, "a", at: 100),
      SampleLog.subscribe(2, "b", at: 150, #","cause":1"#),
      SampleLog.next(1, "a", at: 400, "late"),
      SampleLog.next(1, "a", at: 200, "early"),
      SampleLog.subscribe(3, "b", at: 300, #","cause":1"#),
      SampleLog.subscribe(4, "b", at: 350, #","cause":1"#),
      SampleLog.subscribe(5, "b", at: 360, #","cause":9"#),
      SampleLog.subscribe(6, "b", at: 370, #","cause":6"#),
    ])
    let trace = try trace(log)
    let sources = trace.events.filter { !$0.flows.isEmpty }
    #expect(sources.map(\.time) == [100, 200])
    #expect(sources.map(\.flows) == [[3], [4, 5]])
    let ends = trace.events.filter { !$0.endingFlows.isEmpty }
    #expect(ends.map(\.time) == [150, 300, 350])
    #expect(ends.map(\.endingFlows) == [[3], [4], [5]])
  }

  @Test("Tracks of several logs are separate, even if the process IDs are equal")
  func severalLogs() throws {
    let other = ExportSamples.sample
      .replacing("9f0c2d4e8b7a61530f1e2d3c4b5a6978", with: "00000000000000000000000000000001")
      .replacing("23:48:50.123456789Z", with: "23:48:51.123456789Z")
      .replacing("results", with: "other")
    let trace = try trace(ExportSamples.sample, other)
    #expect(trace.tracks.count == 8)
    #expect(trace.tracks.values.compactMap(\.pid).sorted() == [1, 4242])
    #expect(trace.events(named: "results").map(\.time) == [1000])
    #expect(trace.events(named: "other").map(\.time) == [1_000_001_000])
    #expect(trace.events(named: "request").count == 2)
  }

  @Test("Lifetimes without a beginning or an end are exported, and each ends only once")
  func damagedLives() throws {
    let log = SampleLog.make([
      SampleLog.next(7, "late", at: 200, "x"),
      SampleLog.next(7, "late", at: 100, "w"),
      SampleLog.subscribe(8, "short", at: 300),
      SampleLog.end("disposed", 8, "short", at: 300),
      SampleLog.end("completed", 8, "short", at: 300),
      SampleLog.end("disposed", 8, "short", at: 900),
    ])
    let events = try trace(log).events
    #expect(
      events.map { "\($0.type) \($0.time)" } == [
        "begin 100", "instant 200", "instant 100", "begin 300", "end 300",
      ])
    #expect(events.last?.annotations["end"] == "disposed")
  }

  @Test("A Perfetto trace keeps every string unchanged")
  func hostileTexts() throws {
    let trace = try trace(ExportSamples.hostileLog)
    let begins = trace.events.filter { $0.type == "begin" }
    #expect(begins.map { Array($0.name.utf8) } == ExportSamples.hostileTexts.map { Array($0.utf8) })
    let values = trace.events(named: "next").compactMap { $0.annotations["value"] }
    #expect(values.map { Array($0.utf8) } == ExportSamples.hostileTexts.map { Array($0.utf8) })
  }

  @Test("Exporting the same logs twice produces the same bytes")
  func deterministic() throws {
    let first = try ExportedLog.bytes(.perfetto, ExportSamples.hostileLog, ExportSamples.sample)
    #expect(
      try ExportedLog.bytes(.perfetto, ExportSamples.hostileLog, ExportSamples.sample) == first)
  }
}

private func + (left: [String: String], right: [String: String]) -> [String: String] {
  left.merging(right) { $1 }
}
