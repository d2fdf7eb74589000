import TestSupport
import Testing

@testable import TraceReports
@testable import ViewerConsole

@Suite("Formats of trace-viewer check")
struct CheckFormatTests {
  private func check(_ format: CheckFormat, _ text: String, _ options: String...) throws -> String {
    try writeCheck(format, ofText: text, options)
  }

  @Test("GitHub annotations end with a line of totals")
  func github() throws {
    let lines = try check(.github, SampleLog.leak).split(separator: "\n")
    #expect(lines.count == 2)
    let start =
      """
      ::error file=App/Model.swift,line=57,title=undisposed 9tb1pb%3A request::still active after \
      800 ms%0A    #2 · since 200 ms
      """
    #expect(lines.first?.hasPrefix(start) == true)
    #expect(lines.last == "::notice title=trace-viewer::1 finding: 1 undisposed subscription")
    #expect(
      try check(.github, SampleLog.clean)
        == "::notice title=trace-viewer::no undisposed subscriptions\n")
    #expect(try check(.github, SampleLog.died).hasPrefix("::notice file=App/Model.swift,line=57,"))
  }

  @Test("GitHub annotations are limited to the number that GitHub shows")
  func manyAnnotations() throws {
    let lines = (1...40).map { SampleLog.subscribe($0, "lane \($0)", at: $0, line: $0) }
    let whole = try check(.github, SampleLog.make(lines)).split(separator: "\n")
    #expect(whole.count == 11)
    #expect(whole.count { $0.hasPrefix("::error ") } == 10)
    #expect(whole.last?.hasSuffix("40 findings: 40 undisposed subscriptions") == true)
    let died = SampleLog.make(lines).split(separator: "\n").dropLast().joined(separator: "\n")
    let notices = try check(.github, died).split(separator: "\n")
    #expect(notices.count == 10)
    #expect(notices.allSatisfy { $0.hasPrefix("::notice ") })
  }

  @Test("GitLab output is an array of issues")
  func gitlab() throws {
    #expect(
      try check(.gitlab, SampleLog.leak) == """
        [
          {
            "description": "undisposed 9tb1pb: request: still active after 800 ms. Dispose it \
        with its owner, as in .dispose(in: bag), or declare lifetime: .process.",
            "check_name": "undisposed",
            "fingerprint": "9tb1pb",
            "severity": "major",
            "location": {
              "path": "App/Model.swift",
              "lines": {
                "begin": 57
              }
            }
          }
        ]

        """)
    #expect(try check(.gitlab, SampleLog.clean) == "[]\n")
    #expect(try check(.gitlab, SampleLog.died).contains("\"severity\": \"info\""))
  }

  @Test("Markdown output is a table")
  func markdown() throws {
    #expect(
      try check(.markdown, SampleLog.leak, "--allow=other") == """
        ### ❌ trace-viewer: 1 finding: 1 undisposed subscription

        | Finding | Id | Lane | Where | What |
        | --- | --- | --- | --- | --- |
        | error: undisposed | 9tb1pb | request | App/Model.swift:57 bind() | still active after \
        800 ms<br>Dispose it with its owner, as in .dispose(in: bag), or declare lifetime: \
        .process. |

        """)
    #expect(
      try check(.markdown, SampleLog.clean) == "### ✅ trace-viewer: no undisposed subscriptions\n")
    #expect(try check(.markdown, SampleLog.died).hasPrefix("### ❔ trace-viewer: inconclusive: "))
  }

  @Test("Markdown output never exceeds GitHub's limit for a summary")
  func longMarkdown() throws {
    let lane = String(repeating: "|<", count: 300)
    let lines = (1...3000).map { SampleLog.subscribe($0, "\($0) \(lane)", at: $0, line: $0) }
    let text = try check(.markdown, SampleLog.make(lines))
    #expect(text.utf8.count < CheckMarkdown.maxBytes)
    #expect(text.utf8.count > CheckMarkdown.maxBytes / 2)
    #expect(text.contains("more findings\n"))
  }

  @Test("SARIF output has every property that GitHub requires")
  func sarif() throws {
    let root = try JSONDocument(check(.sarif, SampleLog.leak)).node.members()
    #expect(root.map(\.key) == ["$schema", "version", "runs"])
    let run = try #require(try root.last?.node.elements().first).members(only: [
      "tool", "invocations", "columnKind", "results", "properties",
    ])
    let result = try #require(try run["results"]?.elements().first).members()
    #expect(
      result.map(\.key) == [
        "ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints",
        "occurrenceCount", "properties",
      ])
    let text = try check(.sarif, SampleLog.leak)
    #expect(text.contains(#""uri": "App/Model.swift""#))
    #expect(text.contains(#""primaryLocationLineHash": "9tb1pb:1""#))
    #expect(text.contains(#""text": "9tb1pb request: still active after 800 ms. Dispose it"#))
    #expect(try check(.sarif, SampleLog.clean).contains("\"results\": []"))
    #expect(try check(.sarif, SampleLog.died).contains("\"level\": \"note\""))
  }

  @Test("Every format omits known findings and lists stale baseline entries")
  func baseline() throws {
    let directory = TemporaryDirectory()
    let option = "--baseline=\(directory.path)/known.json"
    for (lane, count) in [("request", 1), ("gone", 2)] {
      let known = #"""
        {"format": "trace-viewer-baseline", "version": 1, "findings": [{"rule": "undisposed", \#
        "lane": "\#(lane)",
        "file": "App/Model.swift", "function": "bind()", "count": \#(count)}]}
        """#
      directory.write(known, to: "known.json")
      let isKnown = lane == "request"
      for format in [CheckFormat.github, .gitlab, .markdown, .junit, .sarif, .json] {
        let text = try check(format, SampleLog.leak, option)
        #expect(text.contains("800 ms") != isKnown, "\(format)")
        if format != .gitlab, format != .sarif {
          #expect(text.contains("gone") != isKnown, "\(format)")
        }
      }
    }
  }

  @Test("A finding without a source is placed in the first line of its log")
  func noSource() throws {
    let subscribe = #"{"t":1,"event":"subscribe","sub":1,"lane":"a","thread":1,"op":"lane"}"#
    let log = TemporaryFile(SampleLog.make([subscribe]))
    let line = try writeCheck(.github, of: [log.path]).lines.first
    #expect(line?.hasPrefix("::error file=\(log.path.dropFirst()),line=1,") == true)
  }

  @Test("Findings have the path of their file in the repository")
  func repository() throws {
    let directory = TemporaryDirectory(["Sources/App/Views/Model.swift": "", ".git": ""])
    let log = TemporaryFile(SampleLog.leak)
    for format in [CheckFormat.github, .gitlab, .markdown, .sarif, .json] {
      let text = try writeCheck(format, of: [log.path], directory: directory.path).out
      #expect(text.contains("Sources/App/Views/Model.swift"), "\(format)")
    }
  }
}
