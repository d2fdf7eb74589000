import TestSupport
import Testing

@testable import TraceAnalysis
@testable import ViewerConsole

@Suite("JSON and JUnit XML of trace-viewer check")
struct CheckDocumentTests {
  private func check(_ format: CheckFormat, _ text: String, _ options: String...) throws -> String {
    try writeCheck(format, ofText: text, options)
  }

  @Test("Each format has one entry for leaks of one line, whatever their lanes are called")
  func lanesOfOneLine() throws {
    let log = SampleLog.make(
      (1...60).map { SampleLog.subscribe($0, "cell \($0)", at: $0, line: $0 % 2 + 1) })
    for (format, entry) in [
      (CheckFormat.text, "error[undisposed]  "), (.junit, "<testcase "),
      (.sarif, #""occurrenceCount": 30"#), (.github, "::error "), (.gitlab, #""check_name""#),
      (.json, #""fails": "#), (.markdown, "| error: undisposed "),
      (.dot, "subgraph "),
    ] {
      let text = try check(format, log)
      #expect(text.ranges(of: entry).count == 2, "\(format)")
    }
    let text = try check(.text, log)
    #expect(text.contains("cell 1 and 29 more lanes  App/Model.swift:2"))
    #expect(text.contains("and 29 more\n"))
    #expect(try check(.json, log).ranges(of: #""lanes": ["#).count == 2)
    // A service keeps a history of each name.
    #expect(try check(.junit, log).contains("name=\"several lanes (App/Model.swift bind()) "))
  }

  @Test("JUnit XML has a test case for each finding")
  func junit() throws {
    let lines = try check(.junit, SampleLog.leak).split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(13) == [
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
        "<testsuites>",
        """
          <testsuite name="LOG" package="trace-viewer" id="0" \
        timestamp="2026-11-20T23:48:50" hostname="ci-7" tests="1" \
        failures="1" errors="0" skipped="0" time="1.000">
        """,
        "    <properties>",
        "      <property name=\"process\" value=\"search-sample (4242)\"/>",
        "      <property name=\"records\" value=\"10\"/>",
        "      <property name=\"subscriptions\" value=\"4\"/>",
        "    </properties>",
        """
            <testcase name="request (App/Model.swift bind()) 9tb1pb" classname="undisposed" \
        time="0.000">
        """,
        "      <failure type=\"undisposed\" message=\"still active after 800 ms\">"
          + "error[undisposed]  9tb1pb  request  App/Model.swift:57  bind()",
        "  still active after 800 ms",
        "    #2 · since 200 ms · 1 element",
        "      made for #1 results (App/Model.swift:42)",
      ])
    #expect(lines.last == "</testsuites>")
  }

  @Test("JUnit XML marks failures, skipped findings and errors")
  func junitOutcomes() throws {
    let died = try check(.junit, SampleLog.died)
    #expect(died.contains("tests=\"2\" failures=\"0\" errors=\"1\" skipped=\"1\""))
    #expect(
      died.contains(
        """
        <error type="inconclusive" message="inconclusive: the process did not write the end of \
        its log"/>
        """
      ))
    #expect(died.contains("<skipped message=\"still active after 700 ms (not proven"))
    #expect(
      try check(.junit, SampleLog.died, "--fail-on=any").contains("failures=\"1\" errors=\"1\""))
    let clean = try check(.junit, SampleLog.clean)
    #expect(clean.contains("tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\""))
    #expect(clean.contains("<testcase name=\"no findings\" classname=\"trace-viewer\""))
  }

  @Test("A finding that the process wasn't certain about says so, and doesn't blame the log")
  func probableTask() throws {
    func task(_ proof: String) -> String {
      SampleLog.make([
        #"{"t":900000000,"event":"task","sub":1,"lane":"load","source":"App/A.swift:8","task":1,"#
          + #""priority":21,"state":"waiting","wait":"continuation","reach":"lost","#
          + #""proof":"\#(proof)"}"#
      ])
    }
    let probable = try check(.junit, task("probable"))
    #expect(probable.contains("(not proven: a part of the process could not be searched)"))
    #expect(!probable.contains("log is incomplete"))
    #expect(try !check(.junit, task("certain")).contains("not proven"))
  }

  @Test("JSON contains everything that is known about the findings")
  func json() throws {
    #expect(
      try check(.json, SampleLog.leak) == """
        {
          "format": "trace-viewer-check",
          "version": 2,
          "outcome": "findings",
          "exitCode": 1,
          "sentence": "1 finding: 1 undisposed subscription",
          "failOn": "error",
          "logs": [
            {
              "files": [
                "LOG"
              ],
              "process": "search-sample",
              "pid": 4242,
              "host": "ci-7",
              "started": "2026-11-20T23:48:50.123456789Z",
              "records": 10,
              "subscriptions": 4,
              "active": 2,
              "lasted": 1000000000,
              "doubts": []
            }
          ],
          "errors": [],
          "counts": {
            "findings": 1,
            "subscriptions": 1,
            "errors": 1,
            "warnings": 0,
            "unproven": 0,
            "allowed": 0,
            "known": 0,
            "stale": 0,
            "unknown": 0
          },
          "findings": [
            {
              "id": "9tb1pb",
              "rule": "undisposed",
              "level": "error",
              "proven": true,
              "sentence": "still active after 800 ms",
              "lane": "request",
              "source": "App/Model.swift:57",
              "function": "bind()",
              "type": "Int",
              "path": "App/Model.swift",
              "line": 57,
              "advice": "Dispose it with its owner, as in .dispose(in: bag), \
        or declare lifetime: .process.",
              "fingerprint": "8893cb0bbd57f626",
              "fails": true,
              "subscriptions": [
                {
                  "rule": "undisposed",
                  "proven": true,
                  "sentence": "still active after 800 ms",
                  "lane": "request",
                  "source": "App/Model.swift:57",
                  "function": "bind()",
                  "type": "Int",
                  "log": 0,
                  "subscription": 2,
                  "start": 200000000,
                  "age": 800000000,
                  "elements": 1,
                  "recorded": {"file": "LOG", "line": 5},
                  "advice": "Dispose it with its owner, as in .dispose(in: bag), \
        or declare lifetime: .process.",
                  "madeFor": [
                    {"subscription": 1, "lane": "results", "source": "App/Model.swift:42"}
                  ]
                }
              ]
            }
          ],
          "stale": []
        }

        """)
  }
}
