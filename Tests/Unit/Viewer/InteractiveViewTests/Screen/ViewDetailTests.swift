import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import ViewerConsole

/// Tests of details that are easily overlooked.
@Suite("Details of screens")
struct ViewDetailTests {
  @Test("There is a gap between an event kind and its text")
  func kindGap() throws {
    let log = SampleLog.make([
      #"{"t":1,"event":"scope-begin","scope":1,"name":"checkout"}"#
    ])
    let stage = try ViewerStage(log, typing: "2")
    #expect(stage.screen.contains { $0.contains("scope-begin  checkout") })
  }

  @Test("There is a gap after the title of a field at every width")
  func titleGap() throws {
    var wrong: [Int] = []
    for columns in 20...60 {
      let stage = try ViewerStage(SampleLog.leak, columns: columns, rows: 40, typing: "!3")
      let width = min(12, columns / 4)
      let lines = DetailPane().lines(stage.viewer).map(\.text)
      let isSeparate = lines.allSatisfy { $0.dropFirst(width - 1).first ?? " " == " " }
      if !isSeparate { wrong.append(columns) }
    }
    #expect(wrong.isEmpty)
  }

  @Test("The list of subscriptions is empty if nothing matches the filter")
  func emptyList() throws {
    let stage = try ViewerStage(SampleLog.leak, typing: "&lane:nowhere<Enter>")
    #expect(stage.viewer.panes[SubscriptionsPane.self].members.isEmpty)
    #expect(stage.screen.allSatisfy { !$0.hasPrefix("#") })
  }

  @Test("An error about a long filter is visible")
  func longFilter() throws {
    var stage = try ViewerStage(SampleLog.leak, columns: 40)
    stage.type("&lane:search.results lane:search.query stat:x<Enter>")
    try #require(stage.viewer.prompt?.problem != nil)
    #expect(stage.footer.contains("Unknown name 'stat:'"), "\(stage.footer)")
  }

  @Test("A narrow header still shows the state of the log", arguments: [30, 40])
  func narrowState(columns: Int) throws {
    var stage = try ViewerStage(SampleLog.leak, columns: columns, rows: 10)
    stage.send(.progressed(ReadingState(bytesRead: 43, bytesTotal: 100)))
    #expect(stage.screen[0].contains("43 %"), "\(stage.screen[0])")
    try stage.grow(SampleLog.died)
    #expect(stage.screen[0].contains("live"), "\(stage.screen[0])")
    stage.type(" ")
    #expect(stage.screen[0].contains("frozen"), "\(stage.screen[0])")
  }

  @Test(
    "The title of the open pane is visible at every width",
    arguments: [20, 30, 40, 63, 65, 66, 80])
  func openTab(columns: Int) throws {
    for (index, id) in Panes.all.map({ type(of: $0).id }).enumerated() {
      var stage = try ViewerStage(SampleLog.leak, columns: columns, rows: 10)
      stage.type("\(index + 1)")
      #expect(stage.screen[1].contains(" \(index + 1) "), "\(stage.screen[1])")
      #expect(stage.screen[1].contains(id.title.prefix(3)), "\(stage.screen[1])")
    }
  }

  @Test("Numbers in lists are never truncated", arguments: [20, 30, 40, 50])
  func numbers(columns: Int) throws {
    let stage = try ViewerStage(SampleLog.leak, columns: columns, typing: "j1")
    for line in stage.screen where line.hasPrefix("#") {
      let words = line.split(separator: " ")
      #expect(words.allSatisfy { $0.first?.isNumber != true || !$0.contains("…") }, "\(line)")
    }
  }

  @Test("The column for elements has room for large counts")
  func manyElements() throws {
    let log = SampleLog.make([SampleLog.subscribe(1, "a", at: 1)])
    let list = CountText.number(1_234_567)
    let stage = try ViewerStage(log, typing: "1")
    let titles = try #require(stage.screen.first { $0.hasPrefix("SUB") })
    // The column begins after the previous one and ends with its title.
    let life = try #require(titles.firstRange(of: "LIFE"))
    let elements = try #require(titles.firstRange(of: "ELEMENTS"))
    #expect(titles.distance(from: life.upperBound, to: elements.upperBound) > list.count)
  }

  @Test("Lists distinguish subscriptions from different logs")
  func severalLogs() throws {
    let log = SampleLog.clean + SampleLog.ofAnother(SampleLog.clean, process: 77, secondsLater: 1)
    let stage = try ViewerStage(log, columns: 120, typing: "1")
    let names = stage.screen.filter { $0.hasPrefix("#") }.map { $0.prefix(24).prefix { $0 != "■" } }
    #expect(names.count == 2)
    #expect(Set(names).count == 2, "\(names)")
  }

  @Test("The help text is never truncated", arguments: [30, 40, 60, 80, 100, 110, 120, 160])
  func helpInFull(columns: Int) {
    let page = Page(width: columns, glyphs: .unicode)
    let lines = HelpView.lines(HelpState(), columns: columns, page).map(\.text)
    #expect(lines.allSatisfy { !$0.contains("…") })
  }

  @Test("One key press scrolls back from the end of the detail pane")
  func detailEnd() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "!3<End>")
    let atEnd = stage.styled(.eight)
    stage.type("<Up>")
    #expect(stage.styled(.eight) != atEnd)
  }

  @Test("The detail has the digits that distinguish events, and the ends of a short life")
  func precision() throws {
    let log = SampleLog.make([
      SampleLog.subscribe(1, "a", at: 263_000_100), SampleLog.next(1, "a", at: 263_000_200, "x"),
      SampleLog.end("completed", 1, "a", at: 263_000_300),
    ])
    let stage = try ViewerStage(log, rows: 40, typing: "3")
    for time in ["263.0001 ms", "263.0002 ms", "263.0003 ms"] {
      #expect(stage.screen.contains { $0.contains("\(time)  a #1") }, "\(stage.screen)")
    }
    #expect(stage.screen.contains { $0.hasSuffix("from 0.2630001 s to 0.2630003 s") })
  }

  @Test("Event times are aligned in one column")
  func eventTimes() throws {
    let log = SampleLog.make(
      [
        SampleLog.subscribe(1, "a", at: 1_000_000_000),
        SampleLog.next(1, "a", at: 12_345_678_901, "x"),
        SampleLog.next(1, "a", at: 12_345_678_950, "x"),
      ], end: 13_000_000_000)
    var stage = try ViewerStage(log, typing: "..2<Tab>")
    for _ in 0..<30 { stage.type("w") }
    let columns = stage.screen.compactMap { line in
      line.firstRange(of: "  #1 ").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
    }
    #expect(columns.count == 3)
    #expect(Set(columns).count == 1, "\(stage.screen.joined(separator: "\n"))")
  }
}
