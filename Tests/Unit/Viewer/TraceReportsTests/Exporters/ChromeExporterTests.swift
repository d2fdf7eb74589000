import TestSupport
import Testing
import ViewerTestSupport

@testable import TraceFormat
@testable import TraceReports
@testable import ViewerConsole

@Suite("Export for Chrome")
struct ChromeExporterTests {
  @Test("A Chrome trace has a line for each metadata, subscription, element, mark and scope event")
  func sample() throws {
    #expect(
      try ExportedLog.text(.chrome, ExportSamples.sample) == #"""
        {"displayTimeUnit":"ns","traceEvents":[
        {"name":"process_name","ph":"M","pid":4242,"tid":0,"args":{"name":"search-sample"}},
        {"name":"process_sort_index","ph":"M","pid":4242,"tid":0,"args":{"sort_index":0}},
        {"name":"process_labels","ph":"M","pid":4242,"tid":0,"args":{"labels":"ci-7"}},
        {"name":"thread_name","ph":"M","pid":4242,"tid":1,"args":{"name":"main"}},
        {"name":"typed","cat":"mark","ph":"i","ts":3.600,"pid":4242,"tid":0,"s":"p"},
        {"name":"launch","cat":"scope","ph":"b","ts":0.010,"pid":4242,"tid":0,\#
        "id2":{"local":"0x1"}},
        {"name":"launch","cat":"scope","ph":"e","ts":4.500,"pid":4242,"tid":0,\#
        "id2":{"local":"0x1"}},
        {"name":"results","cat":"subscription","ph":"b","ts":1.000,"pid":4242,"tid":1,\#
        "id2":{"local":"0x1"},\#
        "args":{"subscription":1,"op":"lane","source":"App/Model.swift:42","function":"bind()",\#
        "type":"Int"}},
        {"name":"next","cat":"subscription","ph":"n","ts":2.500,"pid":4242,"tid":2,\#
        "id2":{"local":"0x1"},\#
        "args":{"subscription":1,"value":"a"}},
        {"name":"request","cat":"subscription","ph":"b","ts":3.000,"pid":4242,"tid":1,\#
        "id2":{"local":"0x2"},\#
        "args":{"subscription":2,"op":"lane","source":"App/Model.swift:57","function":"bind()",\#
        "type":"Int",\#
        "parent":1,"cause":1,"scope":"launch"}},
        {"name":"next","cat":"subscription","ph":"n","ts":3.500,"pid":4242,"tid":1,\#
        "id2":{"local":"0x2"},\#
        "args":{"subscription":2,"value":"cu","truncated":900}},
        {"name":"request","cat":"subscription","ph":"e","ts":4.000,"pid":4242,"tid":1,\#
        "id2":{"local":"0x2"},\#
        "args":{"subscription":2,"end":"failed","error":"Timeout()"}}
        ]}

        """#)
  }

  @Test("A Chrome trace is valid JSON with every string and without control characters")
  func hostileTexts() throws {
    let text = try ExportedLog.text(.chrome, ExportSamples.hostileLog)
    #expect(
      !text.unicodeScalars.contains {
        $0 != "\n" && HiddenCharacter.contains($0) && $0 != "\u{200D}"
      })
    let root = try JSONValue.read(Array(text.utf8))
    let events = root["traceEvents"]?.elements ?? []
    let elements = events.filter { $0["ph"]?.string == "n" }
    let values = elements.compactMap { $0["args"]?["value"]?.string }
    #expect(values.map { Array($0.utf8) } == ExportSamples.hostileTexts.map { Array($0.utf8) })
  }

  @Test("A Chrome trace has exact times of any length")
  func times() throws {
    let log = SampleLog.make([
      SampleLog.subscribe(1, "a", at: 0),
      SampleLog.next(1, "a", at: 999, "x"),
      SampleLog.next(1, "a", at: 9_007_199_254_740_993, "y"),
    ])
    let text = try ExportedLog.text(.chrome, log)
    #expect(text.contains(#""ts":0.000,"#))
    #expect(text.contains(#""ts":0.999,"#))
    #expect(text.contains(#""ts":9007199254740.993,"#))
  }
}
