import TestSupport
import Testing
import ViewerTestSupport

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import TraceReports
@testable import ViewerConsole

@Suite("Findings with retention paths")
struct RetentionReportTests {
  private func lines(_ text: String, width: Int = 120, ascii: Bool = false) throws -> [String] {
    let file = LogSource(name: "x.jsonl", bytes: Array(text.utf8))
    let log = try LogAnalysis.read(file)
    let page = Page(width: width, glyphs: ascii ? .ascii : .unicode)
    return FindingsView(log, Verdict(log).groups).lines(page)
      .map { $0.render(color: false, setsColumn: false) }
  }

  @Test("A finding is printed as the guide shows it")
  func sample() throws {
    #expect(
      try lines(RetainedLog.screen) == [
        "error[retain-cycle]  2hv04h  search.results  observed at SearchScreen.swift:26  "
          + "SearchScreen.init",
        "  2 subscriptions are kept alive by a cycle; 4 upstream subscriptions leak with them "
          + "(search.query, search.keystrokes)",
        "    closure at SearchScreen.swift:26   captures self strongly      "
          + "<- break it here: [weak self]",
        "    SearchScreen.bag                   DisposeBag",
        "    subscription of search.results     #1, active for 5.16 s, 5 elements",
      ])
  }

  @Test("Advice with more details than the mark is printed completely")
  func adviceBesideTheMark() throws {
    func lines(_ steps: [String], width: Int) throws -> [String] {
      let all = steps + [RetainedLog.subscription("a", 1)]
      let record = RetainedLog.facts(
        1, at: 5, steps: all.joined(separator: ","), #","break":0"#)
      return try self.lines(log(record), width: width)
    }
    let closure = RetainedLog.closure("A", at: "M/F.swift:1")
    let more = try lines(
      [closure, RetainedLog.field("A", "timer", "AnyCancellable", "disposable")], width: 120)
    #expect(
      more.contains { $0.hasSuffix("captures self strongly      <- break it here: [weak self]") })
    #expect(
      more.last == "    fix: Capture self weakly: [weak self]. Then dispose A.timer in deinit.")
    let one = try lines([closure], width: 120)
    #expect(!one.contains { $0.contains("fix:") })
    let narrow = try lines([RetainedLog.field("A", "owner", "B", "reference")], width: 60)
    #expect(narrow.contains("      <- break it here: Make A.owner an optional weak"))
    #expect(narrow.contains("      reference, or end the object that it refers to"))
  }

  @Test("A finding fits a terminal of any width", arguments: [1, 8, 20, 40, 80, 200])
  func widths(width: Int) throws {
    let lines = try lines(RetainedLog.screen, width: width)
    #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= width })
    if width >= 80 { #expect(lines.count < 10) }
    if width >= 80 { #expect(lines.contains { $0.hasSuffix("<- break it here: [weak self]") }) }
  }

  private func log(_ record: String, _ more: String = "") -> String {
    SampleLog.make([SampleLog.subscribe(1, "a", at: 1, #","cause":12"#), record])
  }

  @Test("A finding has the holder, the path from a root and the limits of the search")
  func path() throws {
    let lines = try lines(
      log(
        RetainedLog.facts(
          1, at: 5, kind: "path",
          steps: [
            #"{"kind":"global","name":"cache"}"#,
            RetainedLog.field("Cache", "bag", "DisposeBag", "bag"),
            RetainedLog.subscription("a", 1),
          ].joined(separator: ","), #","owner":"bag","reason":"time""#)))
    let text = lines.joined(separator: "\n")
    #expect(lines.first?.hasPrefix("error[undisposed]  wvda6j  a  App/Model.swift:42") == true)
    #expect(text.contains("      made by an event of #12 at 1 ns\n"))
    #expect(
      text.hasSuffix(
        """
            It is in a bag, Cache.bag, and Cache is still alive.
            The time or the stack space was too short to look for what holds it.
            It is kept alive by:
              global cache
              Cache.bag           DisposeBag
              subscription of a   #1, active for 1 s, 0 elements
            fix: Dispose the subscription, or remove what holds it from global cache.
        """))
  }

  @Test("A probable cycle is labeled as probable, and its tail is separate")
  func tail() throws {
    let record = RetainedLog.retained(
      1, at: 5, path: ["s", "t", "u"], #","tail":1,"owner":"bag""#)
    let lines = try lines(log(record.replacing("certain", with: "probable")))
    #expect(lines.first?.hasPrefix("error[undisposed]") == true)
    #expect(
      lines.dropFirst(4).prefix(6) == [
        "    It is in a bag, held by s.", "    It is probably kept alive by a cycle:", "      s",
        "      t",
        "      and from the cycle to the subscription:", "      u",
      ])
    #expect(lines.last == "    fix: \(Undisposed().advice)")
  }

  @Test("A long path is shortened in the middle but keeps the step to break")
  func long() throws {
    let path = (0..<70).map { "step \($0)" }
    let lines = try lines(log(RetainedLog.retained(1, at: 5, path: path, #","break":40"#)))
    let text = lines.joined(separator: "\n")
    #expect(lines.count < 24)
    #expect(text.contains("    step 6\n    ... 32 more steps\n    step 39\n    step 40"))
    #expect(text.contains("<- break it here\n    step 41\n    ... 22 more steps\n    step 64"))
    #expect(lines.contains("    step 69"))
    let log = log(RetainedLog.retained(1, at: 5, path: path, #","break":40"#))
    for markdown in [
      try writeCheck(.markdown, ofText: log), try writeReport(.markdown, of: log).out,
    ] {
      #expect(markdown.contains("- step 6\n- ... 32 more steps\n- step 39\n"))
    }
  }

  @Test("The bundled log has one group of two findings")
  func bundled() throws {
    let log = try LogAnalysis.read(LogSource(path: BundledLog.leak))
    let groups = FindingGroup.groups(of: Verdict(log).findings, in: log)
    #expect(groups.map(\.findings.count) == [2])
    #expect(groups.map(\.consequenceCount) == [4])
  }

  private static let hostile = [
    #"\u001b[2J\u001b]0;t\u0007"#, #"\u202eabc"#, #"\n::error::x"#, "::error::x", "##[error]x",
    "  ::error::x", "]]>", #"<\/script>"#, #"\u0000\u009b31m"#, "", " ", #"\t\tx"#,
    #"\ud83d\ude00日本語"#, "| `a` |", String(repeating: "x", count: 5000), "%0A", #"\"'&"#,
  ]

  private static let hostileLog: String = {
    var lines: [String] = []
    for (index, text) in hostile.enumerated() {
      let id = index + 1
      lines.append(
        SampleLog.subscribe(
          id, text, at: id,
          #","observed":"\#(index % 2 == 0 ? "call.\(id)" : "\(text):3")","cause":\#(index)"#
            + (index % 3 == 1 ? #","parent":\#(index)"# : "")))
      let step = RetainedLog.field(text, text, text, "closure", at: text)
      let kind = ["cycle", "path", "none"][index % 3]
      lines.append(
        RetainedLog.facts(
          id, at: 500 + id, kind: kind,
          steps: Array(repeating: step, count: index % 4 == 0 ? 70 : 3).joined(separator: ","),
          #","tail":\#(index % 3),"break":1,"owner":"bag""#))
      lines.append(
        #"{"t":\#(900 + id),"event":"place","lane":"call.\#(id)","source":"\#(text):4","#
          + #""function":"\#(text)"}"#)
    }
    return SampleLog.make(lines)
  }()

  @Test(
    "Findings in any check format don't contain control characters or CI commands",
    arguments: CheckFormat.allCases)
  func safe(format: CheckFormat) throws {
    let file = TemporaryFile(Self.hostileLog)
    for options in [[], ["--rule=retain-cycle=off"]] {
      let result = try writeCheck(format, of: [file.path], options)
      #expect(result.code == .findings)
      let isSafe = result.out.unicodeScalars
        .allSatisfy { $0 == "\n" || !HiddenCharacter.contains($0) }
      #expect(isSafe)
      guard format != .github else { continue }
      for line in result.out.split(separator: "\n") {
        let words = line.drop { $0 == " " }
        #expect(!words.hasPrefix("::") && !words.hasPrefix("##["), "\(line)")
      }
    }
  }

  @Test("Findings in a report don't contain control characters or CI commands")
  func safeReport() throws {
    for format in [ReportFormat.markdown, .json] {
      let out = try writeReport(format, of: Self.hostileLog).out
      #expect(!HostileLog.isObeyed(out))
    }
    for width in [1, 7, 20, 80] {
      let lines = (try? lines(Self.hostileLog, width: width, ascii: true)) ?? []
      #expect(lines.count > 10)
      #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= width })
      #expect(lines.allSatisfy { $0.utf8.allSatisfy { (0x20..<0x7F).contains($0) } })
    }
  }

  @Test("JSON and SARIF contain the whole retention path")
  func documents() throws {
    let json = try writeCheck(.json, ofText: RetainedLog.screen)
    for text in [
      #""rule": "retain-cycle""#, #""advice": "Capture self weakly: [weak self].""#,
      #""observed": {"source": "Sample/SearchScreen.swift:26", "function": "SearchScreen.init("#,
      #"{"subscription": 2, "lane": "search.query", "source": "App/Model.swift:49", "#,
      #""line": 26,"#, #""kind": "cycle""#,
      #""break": 0"#,
    ] {
      #expect(json.contains(text), "\(text)")
    }
    let sarif = try writeCheck(.sarif, ofText: RetainedLog.screen)
    for text in [
      #""codeFlows""#, #""relatedLocations""#, #""text": "search.query leaks with it""#,
      #""text": "closure at SearchScreen.swift:26: captures self strongly  <- break it here"#,
      #""occurrenceCount": 2"#,
    ] {
      #expect(sarif.contains(text), "\(text)")
    }
    for format in [ReportFormat.json, .markdown] {
      let report = try writeReport(format, of: RetainedLog.screen).out
      #expect(report.contains("captures self strongly") && report.contains("Capture self weakly"))
    }
  }
}
