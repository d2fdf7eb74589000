import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Searching while typing")
struct UpdateLiveSearchTests {
  @Test("Each typed letter searches, and the prompt shows the number of hits")
  func counts() throws {
    var stage = try ViewerStage(StageLogs.origins)
    let cursor = stage.timeline.cursor
    stage.type("/\"swift")
    #expect(stage.footer == "/\"swift  6 hits")
    stage.type(" 6")
    #expect(stage.footer == "/\"swift 6  1 hit")
    stage.type("x")
    #expect(stage.footer == "/\"swift 6x  no hits")
    #expect(stage.timeline.cursor == cursor)
    stage.type("<BS><Enter>")
    #expect(stage.footer == "hit 1 of 1")
    #expect(stage.timeline.event?.text == "Swift 6")
  }

  @Test("Keys that don't change the text don't search again")
  func unchanged() throws {
    var viewer = try ViewerStage(StageLogs.origins).viewer
    _ = viewer.update(.input(.key(KeyPress("/"))))
    #expect(try viewer.update(.input(.key(KeyPress("a")))) == [.search(Query("a"))])
    #expect(viewer.update(.input(.key(KeyPress(.left)))) == [])
    #expect(viewer.update(.input(.key(KeyPress(.delete)))) == [.stopSearch])
    #expect(try viewer.update(.input(.paste("b"))) == [.search(Query("b"))])
    #expect(viewer.search.result?.isComplete == false)
    #expect(ViewerText.footer(viewer) == "/b  searching")
  }

  @Test("The hits are listed while the text is typed, and Enter goes to the marked one")
  func list() throws {
    var stage = try ViewerStage(StageLogs.origins)
    let pane = stage.viewer.panes.currentID
    stage.type("e/request")
    let layout = stage.viewer.layout
    #expect(stage.screen[layout.tabs ?? 0].contains("Hits"))
    #expect(stage.screen[layout.pane].contains { $0.contains("#3 request  starts  App/Model") })
    #expect(stage.viewer.panes[HitsPane.self].list.row == 1)
    stage.type("<Enter>")
    #expect(stage.footer == "hit 2 of 2")
    #expect(stage.viewer.panes.currentID == pane)
  }

  @Test("Esc returns to the earlier search and to the pane")
  func cancelling() throws {
    var stage = try ViewerStage(StageLogs.origins, typing: "/request<Enter>1<Tab>/swift")
    #expect(stage.viewer.panes.currentID == .hits)
    stage.type("<Esc>")
    #expect(stage.viewer.panes.currentID == .subscriptions)
    #expect(try stage.viewer.search.result?.query == Query("request"))
    #expect(stage.viewer.search.lanes.count { $0 } == 1)
    stage.type("n")
    #expect(stage.footer == "hit 2 of 2")
  }

  @Test("Enter before the search is complete goes to the hit when it is")
  func early() throws {
    var viewer = try ViewerStage(StageLogs.origins).viewer
    for press in KeyScript.presses("/request<Enter>") { _ = viewer.update(.input(.key(press))) }
    #expect(viewer.timeline.chosen == 0)
    let effects = try viewer.update(
      .searched(SearchWorker.result(Query("request"), in: viewer.viewed)))
    #expect(viewer.timeline.chosen == 2)
    #expect(!effects.isEmpty)
  }

  @Test("The pane of hits shows the texts of events and goes to them")
  func pane() throws {
    var stage = try ViewerStage(StageLogs.origins, typing: "/swift<Enter>6")
    let rows = stage.screen[stage.viewer.layout.pane].filter { !$0.isEmpty }
    #expect(rows.count == 6)
    #expect(rows[2].hasSuffix("#1 query  swift"))
    #expect(rows[4].hasSuffix("#1 query  Swift 6"))
    stage.type("G")
    #expect(stage.timeline.cursor == Nanoseconds(500 * UInt64(StageLogs.ms)))
    #expect(stage.viewer.panes[HitsPane.self].list.row == 5)
    stage.type("k")
    #expect(stage.viewer.panes[HitsPane.self].list.row == 4)
    stage.type("g<Enter>")
    #expect(stage.viewer.panes.currentID == .detail)
    #expect(stage.timeline.chosenLifecycle?.id.number == 1)
    stage.type("6y")
    #expect(stage.effects == [.copy("#1 query  starts  App/Model.swift:42")])
  }

  @Test("The pane of hits follows the keys for the next and the previous hit")
  func following() throws {
    var stage = try ViewerStage(StageLogs.origins, typing: "/swift<Enter>6<Tab>nn")
    #expect(stage.viewer.panes[HitsPane.self].list.row == 2)
    stage.type("N")
    #expect(stage.viewer.panes[HitsPane.self].list.row == 1)
  }

  @Test("Without a search, the pane of hits says how to start one")
  func none() throws {
    var stage = try ViewerStage(StageLogs.origins, typing: "6jkG<Enter>y")
    #expect(
      stage.effects == [.copy("#1 query  disposed after 800 ms  2 elements  App/Model.swift:42")])
    stage.type("6")
    #expect(stage.screen.contains("no search yet; / starts one"))
    stage.type("/nowhere<Enter>")
    #expect(stage.screen.contains("no hits"))
  }
}

private enum ViewerText {
  static func footer(_ viewer: Viewer) -> String {
    FooterBar(viewer: viewer).line.line.text
  }
}
