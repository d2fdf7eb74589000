import TestSupport
import Testing
import ViewerTestSupport

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import TraceReports
@testable import ViewerConsole

@Suite("Findings in exports")
struct FindingExportTests {
  private func perfetto(
    _ log: String, lanes: [String] = [], _ settings: RuleSettings = RuleSettings()
  ) throws -> PerfettoTrace {
    let bytes = try ExportedLog.bytes(.perfetto, log, lanes: lanes, findings: settings)
    let trace = try #require(PerfettoTrace(bytes))
    #expect(trace.faults == [])
    return trace
  }

  /// Returns the spans by the number of their subscription.
  private func spans(
    _ log: String, _ settings: RuleSettings = RuleSettings()
  ) throws -> [Int: JSONValue] {
    let bytes = try ExportedLog.bytes(.otlp, log, findings: settings)
    let spans =
      try JSONValue.read(bytes)["resourceSpans"]?.elements?.first?["scopeSpans"]?
      .elements?.first?["spans"]?.elements ?? []
    return Dictionary(
      uniqueKeysWithValues: spans.map {
        (Int($0["spanId"]?.string ?? "", radix: 16) ?? 0, $0)
      })
  }

  /// Returns the attributes of findings of a span or of an event.
  private func attributes(_ value: JSONValue?) -> [String: String] {
    let all = (value?["attributes"]?.elements ?? []).compactMap { attribute in
      attribute["value"]?["stringValue"]?.string.map { (attribute["key"]?.string ?? "", $0) }
    }
    return Dictionary(uniqueKeysWithValues: all.filter { $0.0.hasPrefix("trace_viewer.") })
  }

  /// Two active subscriptions of a lane, and one that completed.
  private static let log = SampleLog.make([
    SampleLog.subscribe(1, "request", at: 0, line: 57),
    SampleLog.subscribe(2, "request", at: 200_000_000, line: 57),
    SampleLog.subscribe(3, "other", at: 300_000_000),
    SampleLog.end("completed", 3, "other", at: 400_000_000),
  ])

  // MARK: Perfetto

  @Test("Each subscription of a finding has it, and only the first one has its event")
  func severalSubscriptions() throws {
    let events = try perfetto(Self.log).events
    let slices = events.filter { $0.annotations["findings[0].id"] != nil }
    #expect(slices.map { $0.annotations["subscription"] } == ["1", "2"])
    let ids = slices.compactMap { $0.annotations["findings[0].id"] }
    #expect(Set(ids).count == 1)
    let instants = events.filter { $0.annotations["finding.id"] != nil }
    #expect(instants.map(\.track) == [slices[0].track])
    #expect(instants.first?.name == "undisposed \(ids.first ?? "")")
  }

  @Test("An excerpt has the findings of its subscriptions only")
  func excerpt() throws {
    #expect(
      try perfetto(Self.log, lanes: ["other"]).events
        .allSatisfy { $0.annotations["findings[0].id"] == nil })
    let all = try perfetto(CauseLogs.leak).events.filter { $0.annotations["finding.id"] != nil }
    let some = try perfetto(CauseLogs.leak, lanes: ["download"]).events
      .filter { $0.annotations["finding.id"] != nil }
    #expect(all.count == 3)
    #expect(some.map(\.name) == all.map(\.name).filter { $0 == some.first?.name })
    #expect(some.first?.annotations["finding.rule"] == "undisposed")
  }

  @Test("A subscription that ended has its finding before its end, at the same time")
  func endedSubscription() throws {
    let log = SampleLog.make([
      SampleLog.subscribe(1, "view", at: 0), SampleLog.next(1, "view", at: 100, "a"),
      SampleLog.end("completed", 1, "view", at: 500),
    ])
    var settings = RuleSettings()
    settings.mainLanes = [GlobPattern("view")]
    let trace = try perfetto(log, settings)
    let track = try #require(trace.events.first { $0.name == "view" }?.track)
    let events = trace.events.filter { $0.track == track }
    #expect(
      events.map { "\($0.type) \($0.time)" } == [
        "begin 0", "instant 100", "instant 500", "end 500",
      ])
    #expect(events[2].name.hasPrefix("off-main "))
  }

  @Test("A subscription that several judgments of a finding are about has the finding once")
  func sharedSubscription() throws {
    // Two requests on two threads stopped while they delivered to the same parent.
    let elements = (10..<13).map { SampleLog.next(1, "results", at: $0, "r") }
    let requests = [2, 3].flatMap { number in
      (20..<24).map { time in
        SampleLog.next(number, "request", at: number * 100 + time, "q")
          .replacing(#""thread":2"#, with: #""thread":\#(number)"#)
      }
    }
    let lines =
      [
        SampleLog.header, SampleLog.subscribe(1, "results", at: 0),
        SampleLog.subscribe(2, "request", at: 1, line: 57, #","parent":1"#),
        SampleLog.subscribe(3, "request", at: 2, line: 57, #","parent":1"#),
      ] + elements + requests
    let events = try perfetto(lines.map { $0 + "\n" }.joined()).events
    let slices = events.filter { $0.type == "begin" && $0.annotations["subscription"] != nil }
    let rules = slices.map { event in
      event.annotations.filter { $0.key.hasSuffix("].rule") && $0.value == "stalled" }.count
    }
    #expect(rules == [1, 1, 1])
    #expect(events.count { $0.name.hasPrefix("stalled ") } == 1)
  }

  @Test("A Perfetto slice has the retain cycle, its place and its remedy, and so has the instant")
  func perfettoCycle() throws {
    let trace = try perfetto(CauseLogs.leak)
    let slices = trace.events.filter { $0.annotations["findings[0].rule"] == "retain-cycle" }
    #expect(slices.map { $0.annotations["subscription"] } == ["1", "4"])
    let first = try #require(slices.first)
    let instant = try #require(
      trace.events.first { $0.annotations["finding.rule"] == "retain-cycle" })
    #expect(instant.type == "instant")
    #expect(instant.track == first.track)
    #expect(instant.time == 1_000_000_000)
    let id = try #require(first.annotations["findings[0].id"])
    #expect(instant.name == "retain-cycle \(id)")
    let expected = [
      "severity": "error",
      "sentence":
        "2 subscriptions are kept alive by a cycle; 4 upstream subscriptions leak with them "
        + "(search.query, search.keystrokes)",
      "place": "SearchSample/SearchScreen.swift:26",
      "advice": "Capture self weakly: [weak self].",
      "steps[0]":
        "closure at SearchScreen.swift:26: captures self strongly "
        + "(SearchSample/SearchScreen.swift:26) <- break it here",
      "steps[1]": "SearchScreen.bag: DisposeBag (SearchSample/SearchScreen.swift:18)",
      "steps[2]": "subscription of search.results: #1, active for 900 ms, 0 elements",
    ]
    for (key, text) in expected {
      #expect(first.annotations["findings[0].\(key)"] == text)
      #expect(instant.annotations["finding.\(key)"] == text)
    }
    #expect(first.annotations["findings[0].steps[3]"] == nil)
  }

  @Test("A Perfetto slice has the sentence about what holds the disposable")
  func perfettoHolder() throws {
    let trace = try perfetto(CauseLogs.leak, lanes: ["download"])
    let slice = try #require(trace.events.first { $0.annotations["findings[0].id"] != nil })
    #expect(
      slice.annotations["findings[0].holder"]
        == "Nobody can dispose it: the disposable was discarded. "
        + "No holder was found among 12 MB of memory, which doesn't prove that there isn't one.")
  }

  @Test("Texts that many Perfetto slices share are written once")
  func perfettoSharedTexts() throws {
    let lines = (1...100).map { SampleLog.subscribe($0, "request", at: $0) }
    let bytes = try ExportedLog.bytes(.perfetto, SampleLog.make(lines), findings: RuleSettings())
    let trace = try #require(PerfettoTrace(bytes))
    #expect(trace.faults == [])
    let sentences = Set(trace.events.compactMap { $0.annotations["findings[0].sentence"] })
    let sentence = try #require(sentences.first)
    #expect(sentences.count == 1)
    #expect(trace.events.count { $0.annotations["findings[0].sentence"] == sentence } == 100)
    #expect(String(decoding: bytes, as: UTF8.self).ranges(of: sentence).count == 1)
  }

  // MARK: OpenTelemetry

  @Test(
    "A span with an error as a finding has the status, the attributes and an event with the text")
  func otlp() throws {
    let span = try #require(try spans(CauseLogs.leak)[1])
    let attributes = attributes(span)
    let id = try #require(attributes["trace_viewer.finding.id"])
    #expect(attributes["trace_viewer.finding.rule"] == "retain-cycle")
    #expect(attributes["trace_viewer.finding.place"] == "SearchSample/SearchScreen.swift:26")
    #expect(attributes["trace_viewer.finding.advice"] == "Capture self weakly: [weak self].")
    #expect(span["status"]?["code"]?.integer == 2)
    let sentence = try #require(span["status"]?["message"]?.string)
    #expect(sentence.hasPrefix("2 subscriptions are kept alive by a cycle"))
    let event = try #require(span["events"]?.elements?.last)
    #expect(event["name"]?.string == "retain-cycle \(id)")
    #expect(event["timeUnixNano"]?.string == span["endTimeUnixNano"]?.string)
    #expect(
      self.attributes(event)["trace_viewer.finding.text"] == """
        retain-cycle \(id) (error): \(sentence)
        SearchSample/SearchScreen.swift:26
        kept alive by:
          closure at SearchScreen.swift:26: captures self strongly \
        (SearchSample/SearchScreen.swift:26) <- break it here
          SearchScreen.bag: DisposeBag (SearchSample/SearchScreen.swift:18)
          subscription of search.results: #1, active for 900 ms, 0 elements
        Capture self weakly: [weak self].
        """)
    #expect(try spans(CauseLogs.leak)[9]?["status"] == nil)
  }

  @Test("A span with a warning, or with a finding that the log doesn't prove, has no status")
  func otlpWarnings() throws {
    var settings = RuleSettings()
    settings.levels[Undisposed.id] = .warning
    let warning = try #require(try spans(SampleLog.leak, settings)[2])
    #expect(attributes(warning)["trace_viewer.finding.severity"] == "warning")
    #expect(warning["status"] == nil)
    let unproven = try #require(try spans(SampleLog.died)[2])
    #expect(attributes(unproven)["trace_viewer.finding.severity"] == "unproven")
    #expect(unproven["status"] == nil)
  }

  @Test("A span of a failed subscription keeps its own error in its status")
  func otlpFailure() throws {
    let log = SampleLog.make([
      SampleLog.subscribe(1, "view", at: 0), SampleLog.next(1, "view", at: 100, "a"),
      SampleLog.end("failed", 1, "view", at: 500),
    ])
    var settings = RuleSettings()
    settings.mainLanes = [GlobPattern("view")]
    let span = try #require(try spans(log, settings)[1])
    #expect(attributes(span)["trace_viewer.finding.rule"] == "off-main")
    #expect(span["status"]?["message"]?.string == "Timeout()")
    #expect(span["events"]?.elements?.count == 2)
  }

  @Test("A leaked object has its finding in each format", arguments: ["otlp", "perfetto"])
  func objects(name: String) throws {
    let format = try #require(ExportFormat(rawValue: name))
    let text = String(
      decoding: try ExportedLog.bytes(format, SampleLog.objects, findings: RuleSettings()),
      as: UTF8.self)
    #expect(text.contains("retain-cycle "))
    #expect(text.contains("unreachable "))
    #expect(text.contains("on the cycle: 1 Cart (40 bytes)"))
    #expect(text.contains("kept alive by it: 12 Item (480 bytes), 1 memory (136 bytes)"))
  }

  // MARK: All formats

  @Test(
    "Exports with findings are the same each time and are readable with hostile texts",
    arguments: ExportFormat.allCases)
  func hostileTexts(format: ExportFormat) throws {
    let settings = RuleSettings()
    let bytes = try ExportedLog.bytes(format, HostileLog.text, findings: settings)
    #expect(try ExportedLog.bytes(format, HostileLog.text, findings: settings) == bytes)
    switch format {
    case .otlp: _ = try JSONValue.read(bytes)
    case .perfetto: #expect(PerfettoTrace(bytes)?.faults == [])
    case .csv: #expect(try ExportedLog.bytes(.csv, HostileLog.text) == bytes)
    }
  }
}
