import ReactiveTrace
import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Searching")
struct UpdateFindingTests {
  @Test("finds lanes, sources and values, small letters in capital ones too")
  func smartCase() throws {
    var stage = try ViewerStage(StageLogs.origins)
    stage.type("/swift<Enter>")
    // Every source ends in `.swift`, and two elements say it.
    #expect(stage.viewer.search.result?.hits.count == 6)
    stage.type("/Swift 6<Enter>")
    #expect(stage.viewer.search.result?.hits.count == 1)
    #expect(stage.timeline.event?.text == "Swift 6")
    #expect(stage.footer == "hit 1 of 1")
    stage.type("/swift 6<Enter>")
    #expect(stage.viewer.search.result?.hits.count == 1)
    stage.type("/SWIFT<Enter>")
    #expect(stage.footer == "'SWIFT' not found")
  }

  @Test("goes through the hits both ways, round the ends")
  func hits() throws {
    var stage = try ViewerStage(StageLogs.origins)
    stage.type("/request<Enter>")
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

  @Test("begins at the cursor")
  func fromCursor() throws {
    var stage = try ViewerStage(StageLogs.origins)
    stage.type("e/request<Enter>")
    #expect(stage.footer == "hit 2 of 2")
  }

  @Test("ends a search with an empty one, or with Esc")
  func ending() throws {
    var stage = try ViewerStage(StageLogs.origins)
    stage.type("/request<Enter>")
    #expect(stage.viewer.search.result != nil)
    stage.type("/<Enter>")
    #expect(stage.viewer.search.result == nil)
    stage.type("n")
    #expect(stage.footer == "no search yet; / starts one")
    stage.type("/request<Enter><Esc>")
    #expect(stage.viewer.search.result == nil)
    #expect(stage.effects == [.stopSearch, .stopSearch])
  }

  @Test(
    "visits only hits that the filter lets through, also when it comes after the search")
  func filterAfterSearch() throws {
    var stage = try ViewerStage(StageLogs.origins)
    stage.type("/swift<Enter>&lane:request<Enter>")
    for _ in 0..<4 {
      stage.type("n")
      #expect(stage.viewer.chosenLane == "request")
    }
  }

  @Test("searches what a log has grown by")
  func growing() throws {
    var stage = try ViewerStage(StageLogs.growing(5))
    stage.type("/7<Enter>")
    #expect(stage.viewer.notice?.isError == true)
    try stage.grow(StageLogs.growing(9))
    stage.type("n")
    #expect(stage.timeline.event?.text == "7")
  }

  @Test("goes to the last hit when the one before was asked for while it searched")
  func backwardsWhileSearching() throws {
    let stage = try ViewerStage(StageLogs.origins)
    var viewer = stage.viewer
    for press in KeyScript.presses("/request") { _ = viewer.update(.input(.key(press))) }
    let text = SearchText("request")
    #expect(viewer.update(.input(.key(KeyPress(.enter)))) == [.search(text)])
    #expect(viewer.update(.input(.key(KeyPress("N")))) == [])
    let result = SearchWorker.result(text, in: viewer.viewed)
    _ = viewer.update(.searched(result))
    #expect(viewer.timeline.chosen == 3)
    // What an earlier search finds late is not this one's.
    _ = viewer.update(.searched(SearchResult(text: SearchText("other"))))
    #expect(viewer.search.result?.hits.count == 2)
  }
}
