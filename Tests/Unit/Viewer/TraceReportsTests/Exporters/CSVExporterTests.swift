import TestSupport
import Testing
import ViewerTestSupport

@testable import TerminalUI
@testable import TraceReports
@testable import ViewerConsole

@Suite("Export as CSV")
struct CSVExporterTests {
  @Test("CSV has a line for each record and a column for each key")
  func sample() throws {
    let text = try ExportedLog.text(.csv, ExportSamples.sample)
    #expect(
      text.replacing("\r\n", with: "\n") == """
        time_ns,log,event,sub,lane,value,truncated,error,thread,thread_name,op,source,function,\
        type,\
        parent,cause,scope,lifetime,name,count,reason,segment,lost
        0,0,trace,,,,,,,,,,,,,,,,search-sample,,,,
        5,0,thread,,,,,,1,,,,,,,,,,main,,,,
        10,0,scope-begin,,,,,,,,,,,,,,1,,launch,,,,
        1000,0,subscribe,1,results,,,,1,main,lane,App/Model.swift:42,bind(),Int,,,,,,,,,
        2500,0,next,1,results,a,,,2,,,,,,,,,,,,,,
        3000,0,subscribe,2,request,,,,1,main,lane,App/Model.swift:57,bind(),Int,1,1,1,,,,,,
        3500,0,next,2,request,cu,900,,1,main,,,,,,,,,,,,,
        3600,0,mark,,,,,,,,,,,,,,,,typed,,,,
        3700,0,lost,,,,,,,,,,,,,,,,,2,disk full,,
        4000,0,failed,2,request,,,Timeout(),1,main,,,,,,,,,,,,,
        4500,0,scope-end,,,,,,,,,,,,,,1,,,,,,
        5000,0,end,,,,,,,,,,,,,,,,,11,,,0

        """)
    // Every line ends with CR LF, as in RFC 4180.
    #expect(text.utf8.count { $0 == 0x0A } == 13)
    #expect(text.utf8.count { $0 == 0x0D } == 13)
  }

  private static let hostileLog = SampleLog.make(
    ExportSamples.hostile.enumerated().map { number, text in
      SampleLog.next(1, "a", at: number, text)
    })

  @Test("CSV escapes formulas and keeps every other character")
  func hostileTexts() throws {
    let text = try ExportedLog.text(.csv, Self.hostileLog)
    #expect(text.contains(#",a,"'=HYPERLINK(""x"")","#))
    #expect(text.contains(#",a,"a,b""c""","#))
    #expect(text.contains(",a,\"one\ntwo\r\nthree\","))
    #expect(text.contains(",a,\"\0\u{1B}]0;t\u{7}\u{9B}2J\","))
    #expect(text.contains(",a,\u{202E}evil\u{2066},"))
    #expect(text.contains(",a,\u{FFFD}half,"))
    #expect(text.contains(",a,::error::x,"))
  }

  @Test("CSV on a terminal doesn't contain control characters")
  func terminal() throws {
    let output = Output(descriptor: nil, isTerminal: true)
    try ExportFormat.csv.export(try ExportedLog.selection([Self.hostileLog]), to: output)
    let text = output.text
    #expect(text.contains(#",a,"'=HYPERLINK(""x"")","#))
    #expect(text.contains(",a,\"one\ntwo\nthree\","))
    #expect(text.contains(",a,^@^[]0;t^G\\x9b2J,"))
    #expect(text.contains(",a,<U+202E>evil<U+2066>,"))
    #expect(text.contains(",a,<U+003A>:error::x,"))
    #expect(text.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D })
  }

  @Test("CSV has the segment number of a file and the number of lost records")
  func fileOfLog() throws {
    let text = try ExportedLog.text(
      .csv,
      """
      {"t":0,"event":"trace","version":1,"trace":"ab","process":"app","segment":3}
      {"t":5,"event":"end","records":1,"lost":9}
      """)
    let lines = text.split(separator: "\r\n").map(String.init)
    #expect(lines[1].hasSuffix(",app,,,3,"))
    #expect(lines[2].hasSuffix(",1,,,9"))
    let columns = CSVExporter.columns.count
    #expect(lines.allSatisfy { $0.count { $0 == "," } == columns - 1 })
  }

  @Test("CSV numbers logs from 0")
  func severalLogs() throws {
    let bytes = try ExportedLog.bytes(
      .csv, SampleLog.clean, SampleLog.ofAnother(SampleLog.leak, process: 7))
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(separator: "\r\n").dropFirst()
    let numbers = Set(lines.map { $0.split(separator: ",")[1] })
    #expect(numbers == ["0", "1"])
  }

  @Test("CSV uses the name of a lane that was named later")
  func namedLater() throws {
    let log = SampleLog.make([
      #"{"t":1,"event":"subscribe","sub":1,"lane":"observed.1","thread":1,"op":"observe"}"#,
      #"{"t":2,"event":"place","lane":"observed.1","source":"App/A.swift:3","function":"f()"}"#,
    ])
    let text = try ExportedLog.text(.csv, log)
    #expect(text.contains("1,0,subscribe,1,App/A.swift:3,,,,1,,observe,App/A.swift:3,f(),"))
  }
}
