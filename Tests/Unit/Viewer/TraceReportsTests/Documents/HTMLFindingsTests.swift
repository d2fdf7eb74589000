import TestSupport
import Testing
import ViewerTestSupport

@testable import TraceReports
@testable import ViewerConsole

@Suite("Findings in HTML reports")
struct HTMLFindingsTests {
  private func page(_ log: String) throws -> String {
    let report = try writeReport(.html, of: log)
    #expect(report.code == .clean)
    return report.out
  }

  /// Returns the part of a page between two strings.
  private func part(_ page: String, from start: String, to end: String) throws -> Substring {
    let first = try #require(page.firstRange(of: start))
    let last = try #require(page[first.upperBound...].firstRange(of: end))
    return page[first.upperBound..<last.lowerBound]
  }

  /// Returns the findings as a browser without a script shows them, without markup.
  private func text(_ log: String) throws -> String {
    let section = try part(try page(log), from: #"<section id="findings""#, to: "</section>")
    return section.split(separator: "<").map { piece in
      piece.split(separator: ">", maxSplits: 1).dropFirst().joined()
    }.joined()
  }

  private static let ms = 1_000_000

  /// A log with a leak in each of some lanes.
  private func leaks(_ count: Int) -> String {
    SampleLog.make(
      (1...count).map { SampleLog.subscribe($0, "lane \($0)", at: $0, line: $0) }, end: Self.ms)
  }

  @Test("The verdict and the findings are the first things in an HTML report, as plain HTML")
  func order() throws {
    let page = try page(CauseLogs.leak)
    let places = try [
      "<h1>",
      #"<p class="verdict">3 findings: 4 undisposed subscriptions (2 in a retain cycle)</p>"#,
      #"<section id="findings""#, "search.results", "</section>", #"<section id="timeline""#,
      #"<script type="application/json""#,
    ].map { try #require(page.firstRange(of: $0), "\($0)").lowerBound }
    #expect(places == places.sorted())
  }

  @Test("A finding in an HTML report has its place, its cycle and its remedy without the script")
  func complete() throws {
    let text = try text(CauseLogs.leak)
    for words in [
      "error[retain-cycle] 8vve0m search.results #1 ×2",
      "observed at SearchSample/SearchScreen.swift:26 SearchScreen.init(api:)",
      "2 subscriptions are kept alive by a cycle; 4 upstream",
      "It is in a bag, SearchScreen.bag, and SearchScreen is still alive.",
      "kept alive by a cycle: each step holds the next, and the last one the first",
      "closure at SearchScreen.swift:26 captures self strongly", "SearchScreen.bag DisposeBag",
      "Break it here Capture self weakly: [weak self].",
      "2 subscriptions and 4 upstream", "#5 search.query",
      // A path without a cycle.
      "error[undisposed] ", " feed.rows #7", "kept alive by a chain: each step holds the next",
      "global cache", "Dispose the subscription, or remove what holds it from global cache.",
      // Without a path.
      "Nobody can dispose it: the disposable was discarded.",
      "No holder was found among 12 MB of memory", "Fix: ",
    ] {
      #expect(text.contains(words), "\(words)")
    }
  }

  @Test("The steps that a picture of a long cycle omits are in the page, too")
  func longCycle() throws {
    let page = try page(CauseLogs.long(100, breaking: 50))
    let section = try part(page, from: #"<section id="findings""#, to: "</section>")
    for step in 0..<100 { #expect(section.contains("Node\(step).next"), "\(step)") }
    #expect(section.contains("more steps</summary>"))
    #expect(section.contains("probably kept alive by a cycle"))
    #expect(section.contains("Set Node50.next to nil when it is no longer needed."))
  }

  @Test("Of very many mistakes, the first have cards, and all others are text of the page")
  func many() throws {
    let section = try part(
      try page(leaks(500)), from: #"<section id="findings""#, to: "</section>")
    #expect(section.split(separator: "<article").count == 41)
    #expect(section.split(separator: "<pre").count == 6)
    #expect(section.split(separator: "<tr").count == 42)
    #expect(section.contains(">and 460 more findings below</p>"))
    #expect(section.split(separator: "<").count < 2300)
    for lane in [1, 41, 42, 140, 141, 499, 500] {
      #expect(section.contains("lane \(lane)\(lane > 40 ? "  " : "<")"), "\(lane)")
      #expect(section.contains("Model.swift:\(lane)\(lane > 40 ? "" : "<")"), "\(lane)")
    }
    #expect(section.contains("\n500. error[undisposed]  "))
    #expect(section.contains("  lane 500  #500\n"))
    let rest = section.suffix(300)
    #expect(rest.contains("still active after") && rest.contains("Fix: Dispose it"))
  }

  @Test("Leaks of one line are one row and one card, whatever their lanes are called")
  func lanesOfOneLine() throws {
    let log = SampleLog.make(
      (1...60).map { SampleLog.subscribe($0, "cell \($0)", at: $0, line: $0 % 2 + 1) },
      end: Self.ms)
    let section = try part(try page(log), from: #"<section id="findings""#, to: "</section>")
    #expect(section.split(separator: "<article").count == 3)
    #expect(section.split(separator: "<tr").count == 4)
    #expect(section.contains("<td class=\"figure\">30</td>"))
    #expect(section.contains("<bdi>cell 1 and 29 more lanes</bdi>"))
    #expect(section.contains(">Findings by line</caption>"))
  }

  @Test("Few mistakes more than usual don't need to be unfolded")
  func fewMore() throws {
    #expect(!(try page(leaks(15))).contains(#"<details id="more-findings">"#))
    #expect(try page(leaks(16)).contains("<summary>6 more findings</summary>"))
  }

  @Test("Each card has a fragment of its own, which is the same in the data and in the next report")
  func fragments() throws {
    let page = try page(CauseLogs.leak)
    let ids = page.split(separator: "<article").dropFirst().compactMap {
      $0.split(separator: #"id=""#).dropFirst().first?.split(separator: "\"").first
    }
    #expect(ids.count == 3)
    #expect(Set(ids).count == ids.count)
    for id in ids {
      #expect(page.contains(##"href="#\##(id)""##))
      #expect(page.contains(#"{"id":"\#(id)","message":"#))
    }
    #expect(try self.page(CauseLogs.leak) == page)
  }

  @Test("Mistakes with the same fingerprint have different fragments")
  func sameFingerprint() throws {
    let log = SampleLog.make(
      [
        SampleLog.subscribe(1, "a", at: 1, #","observed":"App/A.swift:1""#),
        SampleLog.subscribe(2, "a", at: 2, #","observed":"App/B.swift:1""#),
      ], end: Self.ms)
    let section = try part(try page(log), from: #"<section id="findings""#, to: "</section>")
    let ids = section.split(separator: #" id="finding-"#).dropFirst().map { text in
      text.prefix { $0 != "\"" }
    }
    #expect(ids.count == 2)
    #expect(Set(ids).count == 2)
  }

  @Test("Text from a log can't become markup in the findings of an HTML report")
  func hostile() throws {
    for log in [CauseLogs.hostile, HostileLog.text] {
      let page = try page(log)
      let body = try part(page, from: "<body>", to: #"<script type="application/json""#)
      let tags = Set(
        body.split(separator: "<").dropFirst().map { $0.prefix { $0.isLetter || $0 == "/" } })
      let known: Set<Substring> = [
        "a", "article", "aside", "bdi", "button", "caption", "details", "div", "figcaption",
        "figure", "h", "header", "input", "label", "li", "main", "nav", "ol", "output", "p",
        "section", "span", "strong", "summary", "svg", "table", "tbody", "td", "th", "thead",
        "title", "tr", "ul",
      ]
      #expect(tags.subtracting(known.union(known.map { "/" + $0 })).isEmpty)
      for word in ["onerror=alert(1)&gt;", "&lt;/script&gt;"] {
        #expect(body.contains(word) || log != CauseLogs.hostile, "\(word)")
      }
      // No attribute is outside quotes, and none runs a script.
      #expect(!body.contains(" on") || !body.contains("onerror=alert(1)>"))
    }
  }

  @Test("An HTML report of a clean log has a sentence instead of findings")
  func clean() throws {
    let text = try text(
      SampleLog.make([
        SampleLog.subscribe(1, "a", at: 1),
        SampleLog.end("completed", 1, "a", at: 2),
      ]))
    #expect(text.contains("The rules found nothing."))
  }

  @Test("Without a script, an HTML report doesn't offer what only the script can do")
  func withoutScript() throws {
    let page = try page(CauseLogs.leak)
    for tag in [
      #"<div class="search" role="search" hidden>"#, #"aria-label="Zoom" hidden>"#,
      #"<details id="legend" hidden>"#, #"<p id="no-script" class="notice">"#,
    ] {
      #expect(page.contains(tag), "\(tag)")
    }
    #expect(!page.contains("<noscript>"))
  }
}

@Suite("Writing HTML")
struct HTMLWriterTests {
  private func written(_ write: (inout HTMLWriter) -> Void) -> String {
    var html = HTMLWriter()
    write(&html)
    return String(decoding: html.bytes, as: UTF8.self)
  }

  @Test("Text and attribute values are escaped, safe and on one line")
  func escaping() {
    let text = "a<b>&\"'\n\u{1B}\u{202E}é"
    let safe = "a&lt;b&gt;&amp;&quot;&#39;⏎^[&lt;U+202E&gt;é"
    #expect(
      written { $0.element("p", ["title": text], text: text) }
        == "<p title=\"\(safe)\">\(safe)</p>")
  }

  @Test("Attributes without a value are omitted")
  func attributes() {
    #expect(written { $0.element("a", ["class": nil, "id": "x"], text: "") } == #"<a id="x"></a>"#)
  }
}
