import TestSupport
import Testing
import ViewerTestSupport

@testable import TraceReports
@testable import ViewerConsole

@Suite("HTML reports")
struct HTMLReportTests {
  private func page(_ log: String, lanes: [String] = [], limit: Int? = nil) throws -> String {
    let report = try writeReport(.html, of: log, lanes: lanes, ReportOptions(limit: limit))
    #expect(report.code == .clean)
    return report.out
  }

  /// Returns the strings between each pair of two delimiters.
  private func pieces(_ page: String, from start: String, to end: String) -> [String] {
    page.split(separator: start, omittingEmptySubsequences: false).dropFirst().compactMap {
      $0.split(separator: end, maxSplits: 1, omittingEmptySubsequences: false).first.map(
        String.init)
    }
  }

  private func data(_ page: String) throws -> JSONValue {
    let text = try #require(
      pieces(page, from: #"<script type="application/json" id="data">"#, to: "</script>").first)
    return try JSONDocument(text.trimmedNewline).root
  }

  @Test("An HTML report doesn't load anything, and its policy forbids loading")
  func selfContained() throws {
    let page = try page(SampleLog.leak)
    #expect(page.hasPrefix("<!DOCTYPE html>\n"))
    #expect(page.hasSuffix("</html>\n"))
    #expect(page.contains(#"content="default-src 'none'; script-src 'sha256-"#))
    // The only address is a namespace.
    #expect(pieces(page, from: "http:", to: "'") == ["//www.w3.org/2000/svg"])
    for word in [
      "https:", "@import", "url(", "src=", "fetch(", "XMLHttpRequest", "innerHTML", "eval(",
    ] {
      #expect(!page.contains(word), "\(word)")
    }
  }

  @Test("The policy of an HTML report contains the digests of its script and style")
  func digests() throws {
    let page = try page(SampleLog.leak)
    let script = try #require(pieces(page, from: "<script>", to: "</script>").first)
    let style = try #require(pieces(page, from: "<style>", to: "</style>").first)
    for text in [script, style] {
      #expect(page.contains("'sha256-\(Base64.text(SHA256.digest(Array(text.utf8))))'"))
    }
  }

  @Test("An HTML report has a row for each subscription, its elements and its last events")
  func rows() throws {
    let node = try data(page(SampleLog.leak))
    let text = try page(SampleLog.leak)
    #expect(
      text.contains(
        #""subs":[[4,0,0,0,-1,0,0,0,0,0,1,0,0],[1,0,1,100000000,900000000,3,0,0,0,0,0,0,0]"#))
    #expect(text.contains(#""elements":[[],[],[300000000],[]]"#))
    #expect(text.contains(#"[["next",300000000,0,6,"[\"a\"]"]]"#))
    #expect(node.kind == "an object")
  }

  @Test("An HTML report counts very many elements instead of listing them")
  func manyElements() throws {
    let lines =
      [SampleLog.subscribe(1, "fast", at: 0), SampleLog.subscribe(2, "slow", at: 0, line: 43)]
      + (1...30_000).map { SampleLog.next(1, "fast", at: $0 * 1000, "x") }
      + [SampleLog.next(2, "slow", at: 40_000_000, "x")]
    let page = try page(SampleLog.make(lines, end: 60_000_000))
    #expect(page.contains(#""counted":true"#))
    #expect(page.contains(#","counts":"6"#))
    #expect(page.contains("],[40000000]]") || page.contains("},[40000000]]"))
    #expect(page.utf8.count < 160_000)
  }

  @Test("The overview of an HTML report counts what all subscriptions do")
  func overview() throws {
    let page = try page(SampleLog.leak)
    let text = try #require(pieces(page, from: #""overview":{"#, to: "}").first)
    let lists = pieces(text, from: "[", to: "]").map {
      $0.split(separator: ",").compactMap { Int($0) }
    }
    #expect(lists.map(\.count) == [400, 400, 400, 400, 400])
    #expect(lists.map { $0.reduce(0, +) }.prefix(4) == [1, 4, 2, 1])
    #expect(lists.last?.max() == 4)
  }

  @Test("A lane below several others counts once")
  func laneCount() throws {
    let lines = [
      SampleLog.subscribe(1, "a", at: 1), SampleLog.subscribe(2, "b", at: 2, line: 43),
      SampleLog.subscribe(3, "inner", at: 3, line: 44, #","parent":1"#),
      SampleLog.subscribe(4, "inner", at: 4, line: 44, #","parent":2"#),
    ]
    let page = try page(SampleLog.make(lines, end: 1000))
    #expect(pieces(page, from: #""tree":["#, to: "\"sites\"")[0].contains("inner"))
    #expect(page.contains(##"<a href="#lane-table">Lanes <span class="quiet">3</span></a>"##))
  }

  /// Returns a log of subscriptions of which the last one leaks. Always two are alive.
  private func crowd(_ count: Int) -> String {
    SampleLog.make(
      (1...count).flatMap { id in
        let begin = SampleLog.subscribe(id, "many", at: id * 1000)
        let end = SampleLog.end("completed", id, "many", at: id * 1000 + 1999)
        return id == count ? [begin] : [begin, end]
      }, end: (count + 2) * 1000)
  }

  @Test("An HTML report has at most twenty thousand subscriptions, including all leaks")
  func manySubscriptions() throws {
    let page = try page(crowd(20_100))
    let rows = try #require(pieces(page, from: #""subs":[["#, to: "]]").first)
    #expect(rows.split(separator: "],[").count == 20_000)
    #expect(page.contains("[20100,0,"))
    #expect(page.contains(#""subscriptions":20100"#))
  }

  @Test("The subscriptions of an HTML report are from the whole time")
  func wholeTime() throws {
    let rows = try #require(data(page(crowd(1000), limit: 300))["subs"]?.elements)
    #expect(rows.count == 300)
    let starts = rows.compactMap { $0.elements?[3].integer }
    #expect(starts.first ?? .max <= 4000)
    #expect(starts.last == 1_000_000)
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 <= 8000 })
  }

  @Test("A lane with more subscriptions than the page has the number of live ones over all time")
  func density() throws {
    let lane = try #require(data(page(crowd(2000), limit: 100))["tree"]?.elements?.first)
    #expect(lane["count"]?.integer == 2000)
    #expect(lane["subs"]?.elements?.count == 100)
    #expect(lane["alive"]?["most"]?.integer == 2)
    let levels = try #require(lane["alive"]?["levels"]?.string)
    #expect(levels.count == 800)
    // Only the last one is alive until the end of the log.
    #expect(levels.allSatisfy { $0 == "Z" || $0 == "N" })
    #expect(levels.hasPrefix("ZZZ"))
    let small = try #require(data(page(SampleLog.leak))["tree"]?.elements?.first)
    #expect(small["alive"] == nil)
  }

  @Test("Each lane of an HTML report has a fair share of its subscriptions")
  func fairShare() throws {
    let lines = (1...310).flatMap { id in
      let lane = id <= 300 ? "busy" : "rare"
      return [
        SampleLog.subscribe(id, lane, at: id), SampleLog.end("completed", id, lane, at: id + 1),
      ]
    }
    let lanes = try #require(data(page(SampleLog.make(lines), limit: 100))["tree"]?.elements)
    #expect(lanes.map { $0["subs"]?.elements?.count } == [90, 10])
    #expect(lanes.map { $0["alive"] == nil } == [false, true])
  }

  @Test("An HTML report shows each mistake once, with its cycle and its observed place")
  func causes() throws {
    let page = try page(CauseLogs.leak)
    #expect(
      page.contains(
        #""groups":[{"id":"finding-8vve0m","message":"2 subscriptions are kept alive by a cycle; 4"#
      ))
    #expect(page.contains(#""findings":[0,1]}"#))
    #expect(
      page.contains(
        #""places":[{"source":"SearchSample/SearchScreen.swift:26","function":"SearchScreen"#))
    #expect(page.contains(#""path":["closure at SearchScreen.swift:26","SearchScreen.bag","#))
    // The last number of a row is its place: the second one, of the lane `harmless`.
    #expect(page.contains(",700000000,800000000,1,0,0,0,0,0,0,2]"))
    // Subscriptions whose place is unknown don't have one.
    #expect(try self.page(SampleLog.leak).contains(#""places":[]"#))
  }

  @Test("Each finding in an HTML report belongs to exactly one group")
  func groups() throws {
    for log in [CauseLogs.leak, CauseLogs.hostile, SampleLog.leak, HostileLog.text] {
      let page = try page(log)
      let groups = try #require(pieces(page, from: #""groups":["#, to: #""order""#).first)
      let all = pieces(groups, from: #""findings":["#, to: "]").flatMap {
        $0.split(separator: ",").compactMap { Int($0) }
      }
      let findings = try #require(pieces(page, from: #""findings":["#, to: #""groups""#).first)
      let count = pieces(findings, from: #""fingerprint""#, to: ":").count
      #expect(all.sorted() == Array(0..<count))
    }
  }

  @Test("Text about causes can't escape from the data of an HTML report")
  func hostileCauses() throws {
    let page = try page(CauseLogs.hostile)
    #expect(!HostileLog.isObeyed(page))
    #expect(pieces(page, from: "</script>", to: "x").count == 2)
    #expect(!page.contains("<img"))
    #expect(!page.unicodeScalars.contains { $0.value == 0x202E || $0.value == 0x1B })
    _ = try data(page)
  }

  @Test("Text from a log can't escape from the data of an HTML report")
  func hostile() throws {
    let page = try page(HostileLog.text)
    #expect(!HostileLog.isObeyed(page))
    #expect(pieces(page, from: "</script>", to: "x").count == 2)
    #expect(!page.contains("<img"))
    _ = try data(page)
  }

  @Test("A log without subscriptions has an HTML report")
  func empty() throws {
    _ = try data(page(SampleLog.make([])))
    _ = try data(page(SampleLog.leak, lanes: ["none"]))
  }

  @Test("An HTML report has the waits of each task, and what unfinished ones wait for")
  func tasks() throws {
    let root = try data(try page(TaskLogs.shop))
    let subs = (root["subs"]?.elements ?? []).map { $0.elements?.first?.integer ?? 0 }
    let tasks = root["tasks"]?.elements ?? []
    func task(_ id: Int) -> JSONValue? {
      tasks.first { $0["sub"]?.integer.map { subs[$0] } == id }
    }
    let pack = try #require(task(3))
    #expect(pack["now"]?.string == "waits for #5 stock at Shop.swift:33 for 550 ms")
    #expect(pack["awaits"]?.elements?.compactMap(\.integer).map { subs[$0] } == [5])
    let ms = 1_000_000
    #expect(
      pack["spans"]?.elements?.compactMap(\.integer) == [
        70 * ms, 100 * ms, 1, 170 * ms, 50 * ms, 4, 370 * ms, 550 * ms, 2,
      ])
    #expect(task(4)?["now"] == nil)
    #expect(task(4)?["waited"]?.string == "once, for 200 ms for a continuation")
    #expect(try data(try page(SampleLog.leak))["tasks"]?.elements?.count == 0)
  }

  @Test("An HTML report has the lane that a task waits for")
  func laneOfTask() throws {
    let log = SampleLog.make([
      TaskLogs.begin(1, "reader", at: 10),
      SampleLog.subscribe(2, "orders", at: 50_000_000, #","observed":"Shop/Shop.swift:12""#),
      TaskLogs.suspended(1, "reader", at: 100, "continuation", line: 12),
    ])
    let root = try data(try page(log))
    let subs = (root["subs"]?.elements ?? []).map { $0.elements?.first?.integer ?? 0 }
    let task = try #require(root["tasks"]?.elements?.first)
    #expect(task["awaits"]?.elements?.compactMap(\.integer).map { subs[$0] } == [2])
  }

  @Test("An HTML report can show damaged waits")
  func damagedWaits() throws {
    let tasks = try data(try page(TaskLogs.damaged))["tasks"]?.elements ?? []
    #expect(tasks.count == 4)
    for task in tasks {
      let spans = task["spans"]?.elements?.compactMap(\.integer) ?? []
      #expect(spans.count % 3 == 0)
      #expect(spans.allSatisfy { $0 >= 0 })
    }
  }
}

extension String {
  fileprivate var trimmedNewline: String {
    hasPrefix("\n") ? String(dropFirst()) : self
  }
}
