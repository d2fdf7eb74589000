import TestSupport
import Testing
import ViewerTestSupport

@testable import TraceFormat
@testable import TraceReports
@testable import ViewerConsole

@Suite("Export for OpenTelemetry")
struct OTLPExporterTests {
  private func spans(_ text: String, lanes: [String] = []) throws -> [JSONValue] {
    let root = try JSONValue.read(try ExportedLog.bytes(.otlp, text, lanes: lanes))
    return root["resourceSpans"]?.elements?.first?["scopeSpans"]?.elements?.first?["spans"]?
      .elements ?? []
  }

  @Test("An OpenTelemetry export has a resource for the log and a span for each subscription")
  func sample() throws {
    #expect(
      try ExportedLog.text(.otlp, ExportSamples.sample) == #"""
        {"resourceSpans":[{"resource":{"attributes":[\#
        {"key":"service.name","value":{"stringValue":"search-sample"}},\#
        {"key":"process.pid","value":{"intValue":"4242"}},\#
        {"key":"host.name","value":{"stringValue":"ci-7"}}]},\#
        "scopeSpans":[{"scope":{"name":"ReactiveTrace","version":"0.1.0"},"spans":[\#
        {"traceId":"9f0c2d4e8b7a61530f1e2d3c4b5a6978","spanId":"0000000000000001",\#
        "name":"results","kind":1,\#
        "startTimeUnixNano":"1795218530123457789","endTimeUnixNano":"1795218530123461789",\#
        "attributes":[\#
        {"key":"reactive.subscription","value":{"intValue":"1"}},\#
        {"key":"reactive.state","value":{"stringValue":"active"}},\#
        {"key":"reactive.elements","value":{"intValue":"1"}},\#
        {"key":"reactive.operator","value":{"stringValue":"lane"}},\#
        {"key":"reactive.type","value":{"stringValue":"Int"}},\#
        {"key":"code.file.path","value":{"stringValue":"App/Model.swift"}},\#
        {"key":"code.line.number","value":{"intValue":"42"}},\#
        {"key":"code.function.name","value":{"stringValue":"bind()"}}],"events":[\#
        {"timeUnixNano":"1795218530123459289","name":"next","attributes":[\#
        {"key":"reactive.value","value":{"stringValue":"a"}},{"key":"thread.id",\#
        "value":{"intValue":"2"}}]}]},\#
        {"traceId":"9f0c2d4e8b7a61530f1e2d3c4b5a6978","spanId":"0000000000000002",\#
        "parentSpanId":"0000000000000001","name":"request","kind":1,\#
        "startTimeUnixNano":"1795218530123459789","endTimeUnixNano":"1795218530123460789",\#
        "attributes":[\#
        {"key":"reactive.subscription","value":{"intValue":"2"}},\#
        {"key":"reactive.state","value":{"stringValue":"failed"}},\#
        {"key":"reactive.elements","value":{"intValue":"1"}},\#
        {"key":"reactive.operator","value":{"stringValue":"lane"}},\#
        {"key":"reactive.type","value":{"stringValue":"Int"}},\#
        {"key":"reactive.scope","value":{"stringValue":"launch"}},\#
        {"key":"code.file.path","value":{"stringValue":"App/Model.swift"}},\#
        {"key":"code.line.number","value":{"intValue":"57"}},\#
        {"key":"code.function.name","value":{"stringValue":"bind()"}}],"events":[\#
        {"timeUnixNano":"1795218530123460289","name":"next","attributes":[\#
        {"key":"reactive.value","value":{"stringValue":"cu"}},\#
        {"key":"reactive.value.bytes","value":{"intValue":"900"}},\#
        {"key":"thread.id","value":{"intValue":"1"}},{"key":"thread.name",\#
        "value":{"stringValue":"main"}}]}],\#
        "links":[{"traceId":"9f0c2d4e8b7a61530f1e2d3c4b5a6978","spanId":"0000000000000001",\#
        "attributes":[\#
        {"key":"reactive.link","value":{"stringValue":"cause"}}]}],\#
        "status":{"message":"Timeout()","code":2}}]}]}]}

        """#)
  }

  @Test("A span has its first 128 elements and a count of the others")
  func manyElements() throws {
    let log = SampleLog.make(
      [SampleLog.subscribe(1, "a", at: 0)]
        + (1...200).map { SampleLog.next(1, "a", at: $0, "\($0)") })
    let span = try #require(try spans(log).first)
    #expect(span["events"]?.elements?.count == 128)
    let last = span["events"]?.elements?.last?["attributes"]?.elements?.first
    #expect(last?["value"]?["stringValue"]?.string == "128")
    #expect(span["droppedEventsCount"]?.integer == 72)
  }

  @Test("The parent of a span is its nearest exported ancestor, and circles are broken")
  func parents() throws {
    let log = SampleLog.make([
      SampleLog.subscribe(1, "top", at: 1),
      SampleLog.subscribe(2, "middle", at: 2, #","parent":1"#),
      SampleLog.subscribe(3, "bottom", at: 3, #","parent":2"#),
      SampleLog.subscribe(4, "round", at: 4, #","parent":5"#),
      SampleLog.subscribe(5, "round", at: 5, #","parent":4"#),
      SampleLog.subscribe(6, "self", at: 6, #","parent":6"#),
      SampleLog.subscribe(7, "lost", at: 7, #","parent":70"#),
    ])
    let all = try spans(log).map { $0["parentSpanId"]?.string?.suffix(1) }
    #expect(all == [nil, "1", "2", "5", nil, nil, nil])
    let some = try spans(log, lanes: ["top", "bottom"])
      .map { $0["parentSpanId"]?.string?.suffix(1) }
    #expect(some == [nil, "1"])
  }

  @Test("A log without a trace ID gets a unique one that is the same in each export")
  func traceIDs() throws {
    let headless = SampleLog.subscribe(1, "a", at: 5) + "\n"
    let bytes = try ExportedLog.bytes(.otlp, headless, headless)
    #expect(try ExportedLog.bytes(.otlp, headless, headless) == bytes)
    let resources = try JSONValue.read(bytes)["resourceSpans"]?.elements ?? []
    let ids = resources.compactMap {
      $0["scopeSpans"]?.elements?.first?["spans"]?.elements?.first?["traceId"]?.string
    }
    #expect(Set(ids).count == 2)
    #expect(ids.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) })
  }

  @Test("An OpenTelemetry export is valid JSON with every string and without control characters")
  func hostileTexts() throws {
    let text = try ExportedLog.text(.otlp, ExportSamples.hostileLog)
    #expect(!text.unicodeScalars.contains { $0 != "\n" && HiddenCharacter.contains($0) })
    let names = try spans(ExportSamples.hostileLog).compactMap { $0["name"]?.string }
    #expect(names.map { Array($0.utf8) } == ExportSamples.hostileTexts.map { Array($0.utf8) })
  }
}
