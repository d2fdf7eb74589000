import TestSupport
import Testing
import TraceFormat

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis

@Suite("Searching")
struct UpdateFindingTests {
  @Test("A search finds lanes, sources and values, and lowercase text also matches uppercase text")
  func smartCase() throws {
    var stage = try ViewerStage(StageLogs.origins, typing: "/swift<Enter>")
    // Every source ends in `.swift`, and two elements contain the word.
    #expect(stage.viewer.search.result?.hits.count == 6)
    stage.type("/\"Swift 6\"<Enter>")
    #expect(stage.viewer.search.result?.hits.count == 1)
    #expect(stage.timeline.event?.text == "Swift 6")
    #expect(stage.footer == "hit 1 of 1")
    stage.type("/\"swift 6\"<Enter>")
    #expect(stage.viewer.search.result?.hits.count == 1)
    stage.type("/SWIFT<Enter>")
    #expect(stage.footer == "'SWIFT' not found; without capitals, case is ignored")
  }

  @Test("Going to the next or previous hit wraps around at the ends")
  func hits() throws {
    var stage = try ViewerStage(StageLogs.origins, typing: "/request<Enter>")
    #expect(stage.timeline.chosen == 2)
    stage.type("n")
    #expect(stage.timeline.chosen == 3)
    #expect(stage.footer == "hit 2 of 2")
    stage.type("n")
    #expect(stage.timeline.chosen == 2)
    #expect(stage.footer == "hit 1 of 2, from the beginning")
    stage.type("N")
    #expect(stage.timeline.chosen == 3)
    #expect(stage.footer == "hit 2 of 2, from the end")
  }

  @Test("A search starts at the cursor")
  func fromCursor() throws {
    let stage = try ViewerStage(StageLogs.origins, typing: "e/request<Enter>")
    #expect(stage.footer == "hit 2 of 2")
  }

  @Test("An empty search or Esc ends a search")
  func ending() throws {
    var stage = try ViewerStage(StageLogs.origins, typing: "/request<Enter>")
    #expect(stage.viewer.search.result != nil)
    stage.type("/<Enter>")
    #expect(stage.viewer.search.result == nil)
    stage.type("n")
    #expect(stage.footer == "no search yet; / starts one")
    stage.type("/request<Enter><Esc>")
    #expect(stage.viewer.search.result == nil)
    #expect(stage.effects == [.stopSearch, .stopSearch])
    #expect(stage.viewer.search.lanes.isEmpty)
  }

  @Test("Only hits that match a later filter are visited")
  func filterAfterSearch() throws {
    var stage = try ViewerStage(StageLogs.origins, typing: "/swift<Enter>&lane:request<Enter>")
    for _ in 0..<4 {
      stage.type("n")
      #expect(stage.viewer.chosenLane == "request")
    }
  }

  @Test("A search includes new elements of a growing log")
  func growing() throws {
    var stage = try ViewerStage(StageLogs.growing(5), typing: "/7<Enter>")
    #expect(stage.viewer.notice?.isError == true)
    try stage.grow(StageLogs.growing(9))
    stage.type("n")
    #expect(stage.timeline.event?.text == "7")
  }

  @Test("A search for a number goes to the subscription, as findings print it")
  func number() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "/#3<Enter>")
    let viewer = stage.viewer
    #expect(viewer.search.result?.hits.count == 1)
    #expect(viewer.timeline.chosen.map { viewer.log.lifecycles[$0].id.number } == 3)
    stage.type("/#<Enter>")
    #expect(stage.viewer.notice?.isError == true)
    stage.type("/#33<Enter>")
    #expect(stage.viewer.notice?.isError == true)
  }

  @Test("Requesting the previous hit during a search goes to the last hit")
  func backwardsWhileSearching() throws {
    let stage = try ViewerStage(StageLogs.origins)
    var viewer = stage.viewer
    for press in KeyScript.presses("/request") { _ = viewer.update(.input(.key(press))) }
    let text = try Query("request")
    // The search runs since its text was typed.
    #expect(viewer.update(.input(.key(KeyPress(.enter)))) == [])
    #expect(viewer.update(.input(.key(KeyPress("N")))) == [])
    let result = SearchWorker.result(text, in: viewer.viewed)
    _ = viewer.update(.searched(result))
    #expect(viewer.timeline.chosen == 3)
    // A late result of an earlier search is ignored.
    _ = try viewer.update(.searched(SearchResult(query: Query("other"))))
    #expect(viewer.search.result?.hits.count == 2)
  }

  @Test("A search lists each subscription with hits once, and marks the lanes of these")
  func members() throws {
    let stage = try ViewerStage(StageLogs.growing(50), typing: "/1<Enter>")
    let result = try #require(stage.viewer.search.result)
    #expect(result.hits.count > 10)
    #expect(result.members == [0])
    #expect(stage.viewer.search.lanes == [true])
  }

  @Test("Lanes of hits are still marked after the rows are grouped by something else")
  func lanesOfHits() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "/request<Enter>")
    for _ in Grouping.allCases {
      let outline = stage.viewer.outline
      let wanted = outline.lanes.map { lane in
        lane.members.contains { stage.viewer.log.lifecycles[$0].site.lane == "request" }
      }
      #expect(stage.viewer.search.lanes == wanted)
      stage.type("b")
    }
  }
}
