import TestSupport
import Testing
import ViewerTestSupport

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import TraceWords
@testable import ViewerConsole

@Suite("Text and panes that fit")
struct UpdateFittingTests {
  private static let ms = 1_000_000

  // MARK: Places

  @Test(
    "Every size of the screen shows the file and the line of every finding",
    arguments: [(60, 15), (80, 24), (100, 30), (140, 42)])
  func places(columns: Int, rows: Int) throws {
    let names = ["a", "search.results.of.a.very.long.lane.name.in.the.shop", "checkout"]
    let log = SampleLog.make(
      names.enumerated().map { index, name in
        let file = "A" + String(repeating: "Long", count: index * 3) + "File.swift"
        return SampleLog.subscribe(
          index + 1, name, at: index, line: 100 + index,
          #","observed":"Shop/\#(file):20\#(index)""#)
      }, end: Self.ms)
    let stage = try ViewerStage(log, columns: columns, rows: rows, typing: "4")
    let screen = stage.screen.joined(separator: "\n")
    #expect(screen.contains("AFile.swift:200"), "\(screen)")
    // The name of a file may be shortened in its middle, but not its line number.
    #expect(screen.contains("swift:201") && screen.contains("swift:202"), "\(screen)")
  }

  @Test("A place loses its folders, its title its middle, then facts are left out")
  func fitting() {
    let page = Page(width: 80, glyphs: .unicode)
    let text = PlacedText(
      title: "#5 search.request.of.the.shop", facts: ["completed after 26 ms", "1 element"],
      place: "search_sample/SearchScreen.swift:44")
    func fitted(_ width: Int) -> String {
      text.fit(to: width, page).pieces.joined(separator: PlacedText.gap)
    }
    #expect(fitted(200).hasSuffix("1 element  search_sample/SearchScreen.swift:44"))
    #expect(
      fitted(90)
        == "#5 search.request.of.the.shop  completed after 26 ms  1 element  SearchScreen.swift:44")
    #expect(fitted(75).hasPrefix("#5 ") && fitted(75).contains("…"))
    #expect(fitted(50) == "#5 search.re…he.shop  SearchScreen.swift:44" || fitted(50).count <= 50)
    for width in 20...120 {
      #expect(fitted(width).hasSuffix(":44"), "\(width): \(fitted(width))")
      #expect(width < 24 || DisplayWidth.columns(of: fitted(width)) <= width, "\(width)")
    }
  }

  // MARK: Findings

  @Test("A jump shows the lines around its target")
  func context() throws {
    let log = SampleLog.make(
      (1...60).map { SampleLog.subscribe($0, "lane\($0)", at: $0, line: $0) }
        + (1...60).filter { $0 != 30 }.map {
          SampleLog.end("disposed", $0, "lane\($0)", at: 100 + $0)
        }, end: Self.ms)
    let stage = try ViewerStage(log, typing: "!")
    let list = stage.timeline.list
    #expect(list.items.count == 60)
    #expect(list.selected == 29)
    let height = stage.viewer.layout.timeline.count
    #expect(list.first <= list.selected - 3)
    #expect(list.first + height - 1 >= list.selected + 3)
  }

  @Test("Findings are visited in both directions, and the pane marks the selected one")
  func bothDirections() throws {
    var stage = try ViewerStage(CauseLogs.leak, typing: "@")
    let last = stage.timeline.chosen
    stage.type("@")
    let before = stage.timeline.chosen
    stage.type("!")
    #expect(stage.timeline.chosen == last)
    #expect(before != last)
    let lines = stage.viewer.panes[FindingsPane.self].lines(stage.viewer)
    #expect(stage.viewer.focus == .timeline)
    #expect(
      lines.count { line in line.spans.allSatisfy(\.style.isBold) && !line.text.isEmpty } == 1)
  }

  @Test("When a followed log ends, the header, the list and the status agree about its findings")
  func ended() throws {
    let whole = SampleLog.leak
    let growing = whole.split(separator: "\n").dropLast().map { $0 + "\n" }.joined()
    var stage = try ViewerStage(growing)
    try stage.grow(growing)
    stage.type("4")
    #expect(!stage.screen[0].contains("finding"))
    #expect(stage.screen.contains { $0.contains("unproven[") })
    try stage.grow(whole, follows: false)
    #expect(stage.screen[0].contains("1 finding"))
    #expect(!stage.screen.contains { $0.contains("unproven") })
    #expect(stage.screen.contains { $0.contains("error[undisposed]") })
  }

  @Test("Without a filter, nothing says that one hides something")
  func notFound() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "/nowhere<Enter>")
    #expect(stage.footer == "'nowhere' not found")
    stage.type("&lane:request<Enter>/nowhere<Enter>")
    #expect(stage.footer == "'nowhere' not found in what the filter shows")
  }

  // MARK: Events

  @Test("Events at nearly the same time have different times, and the time between them")
  func events() throws {
    let log = SampleLog.make(
      [SampleLog.subscribe(1, "a", at: 157_000_000)]
        + (1...3).map { SampleLog.next(1, "a", at: 157_000_000 + $0 * 40, "x") },
      end: 1_000_000_000)
    let stage = try ViewerStage(log, typing: "2")
    let lines = stage.screen.filter { $0.contains("  #1 ") }
    let times = lines.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(Set(times).count == 4, "\(lines)")
    #expect(lines.count { $0.contains("+40 ns") } == 3)
    // The footer has the same unit.
    #expect(lines.allSatisfy { $0.contains(" ms") })
  }

  @Test("Two marks limit the events and the statistics to the time between them")
  func range() throws {
    let log = SampleLog.make(
      [SampleLog.subscribe(1, "a", at: 0)]
        + (1...9).map { SampleLog.next(1, "a", at: $0 * 100 * Self.ms, "\($0)") },
      end: 1000 * Self.ms)
    var stage = try ViewerStage(log, columns: 120, rows: 40)
    // From the third element to the sixth.
    stage.type("...m...m2")
    let events = stage.screen.filter { $0.contains("  #1 ") }
    #expect(events.count == 4, "\(stage.screen.joined(separator: "\n"))")
    stage.type("5")
    #expect(stage.viewer.panes.statistics.lanes?.map(\.elements) == [4])
    #expect(stage.screen[stage.viewer.layout.tabs ?? 0].contains("A to B"))
    stage.type("<Esc><Esc>5")
    #expect(stage.viewer.panes.statistics.lanes?.map(\.elements) == [9])
  }

  @Test("S in the statistics sorts their columns, and not the hidden timeline")
  func sorting() throws {
    let log = SampleLog.make(
      [1, 3, 2].enumerated().flatMap { index, count in
        [SampleLog.subscribe(index + 1, "lane\(count)", at: index)]
          + (0..<count).map { SampleLog.next(index + 1, "lane\(count)", at: 10 + $0, "x") }
      }, end: Self.ms)
    var stage = try ViewerStage(log, typing: "5SSSS")
    #expect(stage.footer == "sorted by ELEMENTS")
    let lanes = stage.screen.dropFirst((stage.viewer.layout.tabs ?? 0) + 2).prefix(3)
    #expect(lanes.map { $0.prefix(5) } == ["lane3", "lane2", "lane1"])
    #expect(stage.screen.contains { $0.contains("ELEMENTS▾") })
    #expect(stage.viewer.feed.arrangement.order == .time)
    stage.type("SSSSSSS")
    #expect(stage.footer == "sorted by the order of the timeline")
  }

  @Test("S in the pane of events doesn't sort the timeline")
  func sortingEvents() throws {
    let stage = try ViewerStage(SampleLog.leak, typing: "2S")
    #expect(stage.footer == "events are always in the order of time")
    #expect(stage.viewer.feed.arrangement.order == .time)
  }

  @Test("A lane on several lines of the timeline says how many subscriptions it has in all")
  func nestedLane() throws {
    var stage = try ViewerStage(
      SampleLog.make(
        [
          SampleLog.subscribe(1, "a", at: 0), SampleLog.subscribe(2, "b", at: 1),
          SampleLog.subscribe(3, "c", at: 2, #","parent":1"#),
          SampleLog.subscribe(4, "c", at: 3, #","parent":2"#),
        ], end: Self.ms), columns: 120)
    stage.type("/c<Enter>1")
    let tabs = stage.screen[stage.viewer.layout.tabs ?? 0]
    #expect(tabs.contains("c ×1 of 2 in the log"), "\(tabs)")
  }

  // MARK: Layout

  @Test("A high screen explains its signs, and each screen with enough rows names its keys")
  func legendAndKeys() throws {
    var stage = try ViewerStage(SampleLog.leak, columns: 140, rows: 42)
    #expect(stage.screen.contains { $0.contains("■ disposed") && $0.contains("○ released") })
    #expect(stage.screen.last?.contains("? help") == true)
    stage.send(.resized(columns: 80, rows: 24))
    #expect(!stage.screen.contains { $0.contains("■ disposed") })
    #expect(stage.screen.last?.hasSuffix("? help") == true)
    stage.type("4")
    #expect(stage.screen.last?.hasPrefix("Tab timeline") == true)
    stage.send(.resized(columns: 80, rows: 15))
    #expect(stage.screen.last?.hasPrefix("Tab timeline") == false)
  }

  @Test("The denser a cell, the more of it is filled")
  func density() {
    #expect(Glyphs.unicode.elements == ["•", "●", "▓", "█"])
  }

  @Test("A pane with the focus gets the rows that it needs, and gives them back")
  func neededRows() throws {
    var stage = try ViewerStage(CauseLogs.leak)
    let before = stage.viewer.layout.pane.count
    stage.type("!3")
    #expect(stage.viewer.layout.pane.count > before)
    #expect(stage.viewer.layout.timeline.count >= 4)
    stage.type("<Esc>")
    #expect(stage.viewer.layout.pane.count == before)
    stage.type("v")
    #expect(stage.viewer.layout.pane.isEmpty)
    stage.type("<Tab>")
    #expect(stage.viewer.layout.timeline.isEmpty)
    stage.type("v")
    #expect(!stage.viewer.layout.timeline.isEmpty)
  }
}
