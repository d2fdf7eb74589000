import TestSupport
import Testing
import ViewerTestSupport

@testable import TerminalUI
@testable import TraceReports
@testable import ViewerConsole

@Suite("Waits of tasks in exports")
struct WaitExportTests {
  private static let log = SampleLog.make(
    [
      TaskLogs.begin(1, "a", at: 0), TaskLogs.suspended(1, "a", at: 1, "group", line: 7, for: [2]),
      TaskLogs.resumed(1, "a", at: 2), TaskLogs.suspended(1, "a", at: 3, "executor"),
      TaskLogs.end("completed", 1, "a", at: 4), TaskLogs.begin(2, "b", at: 1),
      TaskLogs.suspended(2, "b", at: 2, "continuation"),
    ])

  @Test("CSV has a line for the beginning and for the end of a wait")
  func csv() throws {
    let lines = try ExportedLog.text(.csv, Self.log).split(separator: "\r\n")
    #expect(lines.contains("1000000,0,suspended,1,a,,,,,,,Shop/Shop.swift:7,run(),,,,,,,,group,,"))
    #expect(lines.contains("2000000,0,resumed,1,a,,,,,,,,,,,,,,,,,,"))
  }

  @Test("In a Perfetto trace, waits are slices in the slice of their task")
  func perfetto() throws {
    let output = Output(descriptor: nil)
    try ExportFormat.perfetto.export(try ExportedLog.selection([Self.log]), to: output)
    let trace = try #require(PerfettoTrace(output.bytes))
    #expect(trace.faults == [])
    #expect(
      trace.events.filter { $0.track == 2 }.map { "\($0.type) \($0.time) \($0.name)" } == [
        "begin 0 a", "begin 1000000 waits for a group", "end 2000000 ",
        "begin 3000000 waits for its turn", "end 4000000 ", "end 4000000 ",
      ])
  }

  @Test("In a Perfetto trace, an arrow goes from a lane to the task that waits for it")
  func arrow() throws {
    let log = SampleLog.make([
      TaskLogs.begin(1, "reader", at: 10),
      SampleLog.subscribe(2, "orders", at: 50_000_000, #","observed":"Shop/Shop.swift:12""#),
      TaskLogs.suspended(1, "reader", at: 60, "continuation", line: 12),
      TaskLogs.resumed(1, "reader", at: 70),
      TaskLogs.suspended(1, "reader", at: 100, "continuation", line: 12),
    ])
    let output = Output(descriptor: nil)
    try ExportFormat.perfetto.export(try ExportedLog.selection([log]), to: output)
    let trace = try #require(PerfettoTrace(output.bytes))
    #expect(trace.faults == [])
    let sources = trace.events.filter { !$0.flows.isEmpty }
    let ends = trace.events.filter { !$0.endingFlows.isEmpty }
    #expect(sources.map(\.name) == ["orders"])
    #expect(ends.map(\.time) == [100_000_000])
    #expect(ends.map(\.endingFlows) == sources.map(\.flows))
  }

  @Test("OTLP spans have the number and the time of waits")
  func otlp() throws {
    let text = try ExportedLog.text(.otlp, Self.log)
    #expect(text.contains(#"{"key":"reactive.task.waits","value":{"intValue":"2"}}"#))
    #expect(text.contains(#"{"key":"reactive.task.waiting_ns","value":{"intValue":"2000000"}}"#))
  }

  @Test("Damaged waits can be exported", arguments: ExportFormat.allCases)
  func damaged(format: ExportFormat) throws {
    #expect(try !ExportedLog.bytes(format, TaskLogs.damaged).isEmpty)
    #expect(try !ExportedLog.bytes(format, TaskLogs.shop).isEmpty)
  }
}
