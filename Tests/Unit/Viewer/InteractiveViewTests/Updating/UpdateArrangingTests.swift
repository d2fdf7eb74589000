import TestSupport
import Testing

@testable import InteractiveView

@Suite("Folding, grouping and sorting")
struct UpdateArrangingTests {
  @Test("Folding hides a lane and its nested lanes, and unfolding shows them again")
  func folding() throws {
    var stage = try ViewerStage(SampleLog.leak)
    let items = stage.timeline.list.items
    stage.type("j<Enter>")
    #expect(stage.timeline.list.items.map(\.lane) == [0, 1])
    #expect(stage.timeline.list.selected == 1)
    stage.type("<Enter>")
    #expect(stage.timeline.list.items == items)
    // A lane with one row and nothing below can't be folded, so Enter shows its detail.
    stage.type("k<Enter>")
    #expect(stage.shows(.detail, "settings"))
  }

  @Test("Folding and unfolding all lanes keeps the selected line")
  func foldingAll() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "jzz")
    #expect(stage.timeline.list.folded.isEmpty)
    #expect(stage.timeline.list.selected == 1)
    stage.type("jz")
    // The parent lane represents the hidden one.
    #expect(stage.timeline.list.selected == 1)
  }

  @Test("Folding and unfolding all lanes selects the first row of the lane")
  func foldingRows() throws {
    var stage = try ViewerStage(try StageLogs.search())
    let lane = try #require(
      stage.viewer.outline.lanes.firstIndex { $0.depth == 0 && $0.rows.count > 1 })
    while stage.timeline.selectedItem?.lane != lane { stage.type("j") }
    let (item, chosen) = (stage.timeline.list.selected, stage.timeline.chosen)
    stage.type("zz")
    #expect(stage.timeline.list.selected == item)
    #expect(stage.timeline.chosen == chosen)
  }

  @Test("Grouping keeps the chosen subscription selected")
  func arranging() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "jjj")
    #expect(stage.timeline.chosen == 3)
    for _ in Grouping.allCases {
      stage.type("b")
      #expect(stage.timeline.chosen == 3)
      #expect(stage.timeline.rowMembers?.contains(3) == true, "\(stage.viewer.viewed.arrangement)")
    }
    #expect(stage.viewer.viewed.arrangement == Arrangement())
  }

  @Test("Sorting the timeline selects its first row")
  func sortingToTheTop() throws {
    var stage = try ViewerStage(SampleLog.leak)
    for _ in ListOrder.allCases {
      stage.type("jjS")
      #expect(stage.timeline.list.selected == 0, "\(stage.viewer.viewed.arrangement.order)")
      #expect(stage.timeline.rowMembers?.contains(stage.timeline.chosen ?? -1) == true)
    }
    #expect(stage.viewer.viewed.arrangement == Arrangement())
  }

  @Test("Sorting the list of subscriptions selects its first row and stays in the lane")
  func sortingTheList() throws {
    var stage = try ViewerStage(try StageLogs.search())
    while stage.timeline.selectedLane?.name != "search.request" { stage.type("j") }
    stage.type("1")
    for _ in ListOrder.allCases {
      stage.type("jjS")
      let pane = stage.viewer.panes[SubscriptionsPane.self]
      #expect(pane.list.row == 0, "\(stage.viewer.viewed.arrangement.order)")
      #expect(stage.timeline.chosen == pane.members.first)
      #expect(stage.viewer.chosenLane == "search.request")
    }
  }

  @Test(
    "Grouping uses the requested key",
    arguments: [
      (presses: 1, groups: ["App/Model.swift"]), (2, ["no scope"]), (3, ["main"]),
      (4, ["active", "disposed", "failed"]),
    ])
  func grouping(presses: Int, groups: [String]) throws {
    let stage = try ViewerStage(SampleLog.leak, typing: String(repeating: "b", count: presses))
    let lanes = stage.viewer.outline.lanes
    #expect(lanes.filter { $0.depth == 0 }.map(\.name) == groups)
    #expect(lanes.filter { $0.depth == 1 }.reduce(0) { $0 + $1.members.count } == 4)
    #expect(
      stage.screen.contains { $0.contains("by \(stage.viewer.feed.arrangement.grouping.rawValue)") }
    )
  }

  @Test("The previous grouping undoes the next one, also from the first grouping")
  func groupingBack() throws {
    var stage = try ViewerStage(SampleLog.leak)
    for _ in Grouping.allCases {
      let before = stage.viewer.viewed.arrangement.grouping
      stage.type("bB")
      #expect(stage.viewer.viewed.arrangement.grouping == before)
      stage.type("B")
      #expect(stage.viewer.viewed.arrangement.grouping.next == before)
      #expect(stage.footer == "grouped by \(stage.viewer.viewed.arrangement.grouping.rawValue)")
    }
    #expect(stage.viewer.viewed.arrangement.grouping == .parent)
  }

  @Test(
    "Sorting uses the requested order",
    arguments: [
      (presses: 0, lanes: ["settings", "results", "request"]),
      (1, ["results", "request", "settings"]), (3, ["settings", "results", "request"]),
      (4, ["settings", "results", "request"]),
    ])
  func sorting(presses: Int, lanes: [String]) throws {
    let stage = try ViewerStage(SampleLog.leak, typing: String(repeating: "S", count: presses))
    #expect(stage.viewer.outline.lanes.map(\.name) == lanes)
  }
}
