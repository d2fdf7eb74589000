import TestSupport
import Testing

@testable import InteractiveView
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerConsole

@Suite("Panes")
struct UpdatePanesTests {
  @Test("Each pane is opened by its number and left with Esc")
  func panes() throws {
    var stage = try ViewerStage(SampleLog.leak)
    for (index, id) in stage.viewer.panes.ids.enumerated() {
      stage.type("\(index + 1)")
      #expect(stage.viewer.panes.currentID == id)
      #expect(stage.viewer.focus == .pane)
      #expect(stage.screen[stage.viewer.layout.tabs ?? 0].contains("\(index + 1) \(id.title)"))
      stage.type("<Esc>")
      #expect(stage.viewer.focus == .timeline)
    }
  }

  @Test("The pane keys cycle through the panes in both directions")
  func turning() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "<Tab>")
    #expect(stage.viewer.focus == .pane)
    stage.type("<Tab>")
    #expect(stage.viewer.focus == .timeline)
    var seen: [PaneID] = []
    for _ in stage.viewer.panes.ids {
      stage.type("<S-Tab>")
      seen.append(stage.viewer.panes.currentID)
    }
    #expect(seen == stage.viewer.panes.ids.reversed())
    stage.type("<S-Tab>")
    #expect(stage.viewer.focus == .timeline)
  }

  @Test("Cycling to the summary pane counts its lanes")
  func turningToTheSummary() throws {
    var stage = try ViewerStage(SampleLog.leak)
    for _ in stage.viewer.panes.ids where stage.viewer.panes.currentID != .summary {
      stage.type("<S-Tab>")
    }
    #expect(stage.shows(.summary, "STARTED"))
  }

  @Test("Moving in the list of subscriptions chooses them, and Enter opens the detail pane")
  func subscriptions() throws {
    var stage = try ViewerStage(StageLogs.origins, typing: "jj1")
    #expect(stage.viewer.panes[SubscriptionsPane.self].members == [2, 3])
    stage.type("j")
    #expect(stage.timeline.chosen == 3)
    #expect(stage.timeline.cursor.count == UInt64(500 * StageLogs.ms))
    stage.type("k")
    #expect(stage.timeline.chosen == 2)
    stage.type("G")
    #expect(stage.timeline.chosen == 3)
    stage.type("<Enter>")
    #expect(stage.shows(.detail, "results"))
    stage.type("<Enter>")
    #expect(stage.viewer.focus == .timeline)
  }

  @Test("The list of subscriptions is filtered")
  func filteredSubscriptions() throws {
    let stage = try ViewerStage(StageLogs.origins, typing: "jj&elements>100<Enter>")
    #expect(stage.timeline.list.items.isEmpty)
    #expect(stage.viewer.panes[SubscriptionsPane.self].members == [])
    #expect(stage.screen.contains { $0.contains("no subscriptions in this lane") })
  }

  @Test("The list of a group has its title and a column of lanes while the selection moves in it")
  func group() throws {
    var stage = try ViewerStage(SampleLog.leak, columns: 120, typing: "b1")
    let tabs = try #require(stage.viewer.layout.tabs)
    #expect(stage.screen[tabs].contains("App/Model.swift ×4"))
    let lanes = stage.viewer.log.lifecycles.map(\.site.lane)
    for lane in lanes {
      #expect(stage.screen[tabs].contains("App/Model.swift ×4"))
      #expect(stage.viewer.chosenLane == lane)
      #expect(stage.shows(.subscriptions, "LANE"))
      #expect(stage.shows(.subscriptions, lane))
      stage.type("j")
    }
    // Another state of the log doesn't change what is listed.
    stage.type("S")
    #expect(stage.screen[tabs].contains("App/Model.swift ×4"))
    #expect(stage.shows(.subscriptions, "LANE▾"))
    let sorted = stage.viewer.panes[SubscriptionsPane.self].members.map { lanes[$0] }
    #expect(sorted == lanes.sorted())
    // A lane doesn't need the column.
    stage.type("<Esc>jj1")
    #expect(!stage.shows(.subscriptions, "LANE"))
  }

  @Test("All subscriptions are listed by a command of the palette until a lane is selected")
  func listingAll() throws {
    var stage = try ViewerStage(SampleLog.leak, columns: 120, typing: "jj:all subscriptions<Enter>")
    let tabs = try #require(stage.viewer.layout.tabs)
    #expect(stage.screen[tabs].contains("all ×4"))
    #expect(stage.viewer.panes[SubscriptionsPane.self].members == [0, 1, 2, 3])
    #expect(stage.viewer.chosenLane == "request")
    stage.type("gjjj")
    #expect(stage.timeline.chosen == 3)
    #expect(stage.screen[tabs].contains("all ×4"))
    stage.type("A")
    #expect(stage.viewer.panes[SubscriptionsPane.self].members == [2, 3])
    stage.type("A<Esc>kk")
    #expect(stage.viewer.panes[SubscriptionsPane.self].members == [1])
  }

  @Test("An empty log that replaces another one clears the list of subscriptions")
  func restartedEmpty() throws {
    var stage = try ViewerStage(StageLogs.origins)
    try stage.restart(SampleLog.header + "\n")
    #expect(stage.viewer.panes[SubscriptionsPane.self].members == [])
    guard stage.viewer.panes[SubscriptionsPane.self].members.isEmpty else { return }
    #expect(stage.screen.count == 24)
  }

  @Test("Moving in the list of events selects them in the timeline")
  func events() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "jj2")
    #expect(stage.viewer.panes.events.events.map(\.kind) == [.subscribe, .next])
    stage.type("j")
    #expect(stage.timeline.event?.kind == .subscribe)
    stage.type("j")
    #expect(stage.timeline.event?.kind == .next)
    stage.type("j")
    #expect(stage.timeline.event?.kind == .next)
    stage.type("k")
    #expect(stage.timeline.event?.kind == .subscribe)
    stage.type("G")
    #expect(stage.timeline.cursor == stage.viewer.log.duration)
    stage.type("g")
    #expect(stage.timeline.cursor == .zero)
  }

  @Test(
    "The list of events follows the selected row, even if a filter or grouping changes it",
    arguments: ["&lane:request<Enter>", "bbbbb&lane:request<Enter>", "L"])
  func eventsOfAnotherRow(keys: String) throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "2")
    #expect(stage.viewer.panes.events.events.allSatisfy { $0.lifecycle == 0 })
    stage.type(keys)
    let members = stage.timeline.rowMembers ?? []
    #expect(stage.viewer.panes.events.events.allSatisfy { members.contains($0.lifecycle ?? -1) })
  }

  @Test("The list of events includes all rows of a folded lane")
  func eventsOfFoldedLane() throws {
    let stage = try ViewerStage(SampleLog.leak, typing: "jj2<Esc><Enter>")
    #expect(
      stage.viewer.panes.events.events.map(\.kind) == [.subscribe, .next, .subscribe, .failed])
  }

  @Test("The title of the list of events names the row of a lane that has several")
  func rowInTitle() throws {
    var stage = try ViewerStage(SampleLog.leak, columns: 120)
    let tabs = try #require(stage.viewer.layout.tabs)
    stage.type("2")
    #expect(stage.screen[tabs].contains(" settings ─"))
    stage.type("<Esc>jj")
    #expect(stage.screen[tabs].contains(" request, row 1 of 2 ─"))
    stage.type("j")
    #expect(stage.screen[tabs].contains(" request, row 2 of 2 ─"))
    stage.type("<Enter>")
    #expect(stage.screen[tabs].contains(" request ─"))
  }

  @Test("Going to a lane lists the events of all its rows until another line is selected")
  func eventsOfWholeLane() throws {
    var stage = try ViewerStage(SampleLog.leak, columns: 120)
    let tabs = try #require(stage.viewer.layout.tabs)
    stage.type(":request<Enter>2")
    let all: [LogFormat.Event] = [.subscribe, .next, .subscribe, .failed]
    #expect(stage.viewer.panes.events.events.map(\.kind) == all)
    #expect(stage.screen[tabs].contains(" request ─"))
    // The selected row is always the one of the selected event.
    stage.type("jjj")
    #expect(stage.timeline.event?.kind == .failed)
    #expect(stage.timeline.selectedItem?.row == 1)
    #expect(stage.viewer.panes.events.events.map(\.kind) == all)
    stage.type("<Esc>,")
    #expect(stage.timeline.event?.kind == .subscribe)
    #expect(stage.viewer.panes.events.events.map(\.kind) == all)
    stage.type("k")
    #expect(stage.viewer.panes.events.events.map(\.kind) == [.subscribe, .next])
  }

  @Test("Opening a finding selects its subscription")
  func findings() throws {
    let stage = try ViewerStage(SampleLog.leak, typing: "4<Enter>")
    #expect(stage.timeline.chosen == stage.viewer.viewed.findings[0].lifecycle)
    #expect(stage.footer.hasPrefix("error[undisposed]"))
  }

  @Test("Opening a lane in the summary selects it in the timeline")
  func summary() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "5")
    let lanes = stage.viewer.panes.statistics.lanes?.map(\.lane) ?? []
    #expect(Set(lanes) == ["settings", "results", "request"])
    let row = try #require(lanes.firstIndex(of: "request"))
    stage.type(String(repeating: "j", count: row) + "<Enter>")
    #expect(stage.viewer.chosenLane == "request")
    #expect(stage.viewer.focus == .timeline)
  }

  @Test("The summary counts only what matches the filter")
  func filteredSummary() throws {
    let stage = try ViewerStage(SampleLog.leak, typing: "5&lane:request<Enter>")
    #expect(stage.viewer.panes.statistics.lanes?.map(\.lane) == ["request"])
  }

  @Test("The summary is updated when the log grows, even if its pane isn't focused")
  func grownSummary() throws {
    var stage = try ViewerStage(StageLogs.growing(5), typing: "5")
    #expect(stage.viewer.panes.statistics.lanes?.first?.elements == 5)
    try stage.grow(StageLogs.growing(9))
    #expect(stage.viewer.panes.statistics.lanes?.first?.elements == 9)
    stage.type("<Tab>")
    try stage.grow(StageLogs.growing(12))
    #expect(stage.viewer.panes.statistics.lanes?.first?.elements == 12)
  }

  @Test("The detail pane scrolls to its end but no further")
  func detail() throws {
    var stage = try ViewerStage(SampleLog.leak, columns: 40, rows: 16, typing: "jj3")
    let maxFirst = DetailText(stage.viewer).lines.count - stage.viewer.layout.pane.count
    try #require(maxFirst > 0)
    stage.type("G")
    #expect(stage.viewer.panes[DetailPane.self].first == maxFirst)
    stage.type("j")
    #expect(stage.viewer.panes[DetailPane.self].first == maxFirst)
    stage.type("gk")
    #expect(stage.viewer.panes[DetailPane.self].first == 0)
  }

  @Test("A small terminal shows either the list or the timeline")
  func small() throws {
    var stage = try ViewerStage(SampleLog.leak, columns: 40, rows: 10)
    #expect(stage.viewer.layout.pane.isEmpty)
    stage.type("2")
    #expect(stage.viewer.layout.timeline.isEmpty)
    #expect(stage.screen.contains { $0.contains("subscribe") })
    stage.type("q")
    #expect(stage.viewer.focus == .timeline)
    #expect(stage.effects == [])
    stage.type("q")
    #expect(stage.effects == [.quit(.clean)])
  }
}
