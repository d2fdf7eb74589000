import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Mouse")
struct UpdateMouseTests {
  private func stage() throws -> ViewerStage {
    let stage = try ViewerStage(SampleLog.leak, typing: "M")
    return stage
  }

  /// The first column of the timeline.
  private func left(_ stage: ViewerStage) -> Int { stage.viewer.layout.labelWidth + ViewLayout.gap }

  @Test("Clicks are ignored while the mouse is off")
  func off() throws {
    var stage = try ViewerStage(SampleLog.leak)
    stage.press(column: 40, row: stage.viewer.layout.timeline.lowerBound + 1)
    #expect(stage.timeline.list.selected == 0)
    #expect(stage.timeline.cursor == .zero)
  }

  @Test("A click selects a line and a time")
  func click() throws {
    var stage = try stage()
    let column = left(stage) + stage.viewer.layout.cells / 2
    stage.press(column: column, row: stage.viewer.layout.timeline.lowerBound + 2)
    #expect(stage.timeline.list.selected == 2)
    let viewer = stage.viewer
    let scale = viewer.timeline.window.scale(columns: viewer.layout.cells)
    #expect(scale.column(of: viewer.timeline.cursor) == viewer.layout.cells / 2)
    #expect(viewer.timeline.chosen == 2)
    // A click on a label selects only the line.
    stage.press(column: 2, row: viewer.layout.timeline.lowerBound + 1)
    #expect(stage.timeline.list.selected == 1)
    #expect(stage.timeline.cursor == viewer.timeline.cursor)
  }

  @Test("A click selects a pane or a line in it")
  func panes() throws {
    var stage = try stage()
    for id in stage.viewer.panes.ids {
      // The pane with the focus gets the rows that it needs.
      let tabs = try #require(stage.viewer.layout.tabs)
      let line = Array(stage.screen[tabs])
      let title = Array(id.title)
      let column = try #require(line.indices.first { line[$0...].starts(with: title) })
      stage.press(column: column, row: tabs)
      #expect(stage.viewer.panes.currentID == id)
      #expect(stage.viewer.focus == .pane)
    }
    #expect(stage.viewer.panes.statistics.lanes != nil)
    let summary = try #require(stage.viewer.panes.ids.firstIndex(of: .summary))
    stage.type("\(summary + 1)")
    stage.press(column: 3, row: stage.viewer.layout.pane.lowerBound + 2)
    #expect(stage.viewer.panes[SummaryPane.self].list.row == 1)
  }

  @Test("A click selects a subscription in the list")
  func subscriptions() throws {
    var stage = try ViewerStage(StageLogs.origins, typing: "Mjj")
    stage.press(column: 3, row: stage.viewer.layout.pane.lowerBound + 2)
    #expect(stage.timeline.chosen == 3)
    #expect(stage.viewer.focus == .pane)
    // A click on the line of titles is ignored.
    stage.press(column: 3, row: stage.viewer.layout.pane.lowerBound)
    #expect(stage.timeline.chosen == 3)
  }

  @Test("A click selects an event in the list")
  func events() throws {
    var stage = try stage()
    stage.type("jj2")
    let row = try #require(stage.screen.firstIndex { $0.contains(" next ") })
    stage.press(column: 3, row: row)
    #expect(stage.timeline.event?.kind == .next)
  }

  @Test("The wheel zooms around the time under the pointer")
  func wheel() throws {
    var stage = try stage()
    let column = left(stage) + 30
    let row = stage.viewer.layout.timeline.lowerBound
    let all = stage.timeline.window
    let time = { (window: VisibleRange) in
      Double(window.start.count) + 30.5 / Double(stage.viewer.layout.cells)
        * Double(window.duration)
    }
    let before = time(stage.timeline.window)
    for _ in 0..<4 {
      stage.send(.input(.mouse(MousePress(kind: .wheelUp, column: column, row: row))))
    }
    #expect(stage.timeline.window.duration < all.duration / 2)
    let step = Double(all.step(columns: stage.viewer.layout.cells))
    #expect(abs(time(stage.timeline.window) - before) < step)
    for _ in 0..<9 {
      stage.send(.input(.mouse(MousePress(kind: .wheelDown, column: column, row: row))))
    }
    #expect(stage.timeline.window == all)
  }

  @Test("The wheel moves the selection in a list")
  func wheelInPane() throws {
    var stage = try stage()
    stage.type("jj1")
    let row = stage.viewer.layout.pane.lowerBound + 3
    stage.send(.input(.mouse(MousePress(kind: .wheelDown, column: 5, row: row))))
    #expect(stage.timeline.chosen == 3)
    stage.send(.input(.mouse(MousePress(kind: .wheelUp, column: 5, row: row))))
    #expect(stage.timeline.chosen == 2)
  }

  @Test("Dragging marks a time range in either direction", arguments: [(10, 40), (40, 10)])
  func drag(from: Int, to: Int) throws {
    var stage = try stage()
    let row = stage.viewer.layout.timeline.lowerBound + 1
    stage.press(column: left(stage) + from, row: row)
    for column in [25, to] {
      stage.send(
        .input(.mouse(MousePress(kind: .drag(button: 0), column: left(stage) + column, row: row))))
    }
    stage.send(
      .input(.mouse(MousePress(kind: .release(button: 0), column: left(stage) + to, row: row))))
    let between = try #require(stage.timeline.marks.between)
    let step = stage.timeline.window.step(columns: stage.viewer.layout.cells)
    #expect(between.duration.count / step == 30)
    #expect(stage.footer.hasSuffix("selected; f fits it"))
    #expect(stage.viewer.terminal.drag == nil)
    stage.type("f")
    #expect(stage.timeline.window == VisibleRange.around(between))
  }

  @Test("A click without dragging doesn't mark anything")
  func clickIsNoDrag() throws {
    var stage = try stage()
    let row = stage.viewer.layout.timeline.lowerBound
    stage.press(column: 50, row: row)
    stage.send(.input(.mouse(MousePress(kind: .drag(button: 0), column: 50, row: row))))
    stage.send(.input(.mouse(MousePress(kind: .release(button: 0), column: 50, row: row))))
    #expect(stage.timeline.marks.times.isEmpty)
    // Dragging with another button, or without a press, is ignored.
    stage.send(.input(.mouse(MousePress(kind: .drag(button: 0), column: 20, row: row))))
    stage.send(.input(.mouse(MousePress(kind: .press(button: 2), column: 20, row: row))))
    stage.send(.input(.mouse(MousePress(kind: .drag(button: 2), column: 60, row: row))))
    #expect(stage.timeline.marks.times.isEmpty)
  }

  @Test("Clicks are ignored while help or a prompt is open")
  func covered() throws {
    for keys in ["?", "/"] {
      var stage = try stage()
      stage.type(keys)
      stage.press(column: 50, row: stage.viewer.layout.timeline.lowerBound + 1)
      #expect(stage.timeline.list.selected == 0)
      #expect(stage.timeline.cursor == .zero)
    }
  }
}

extension ViewerStage {
  fileprivate mutating func press(column: Int, row: Int) {
    send(.input(.mouse(MousePress(kind: .press(button: 0), column: column, row: row))))
  }
}
