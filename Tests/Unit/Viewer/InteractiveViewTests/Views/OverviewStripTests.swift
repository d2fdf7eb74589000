import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("The overview above the lanes")
struct OverviewStripTests {
  @Test("The overview has the events and the subscriptions at the cursor")
  func counts() throws {
    var stage = try ViewerStage(SampleLog.leak)
    #expect(stage.screen[1].hasPrefix("7 events "))
    #expect(stage.screen[2].hasPrefix("1 active "))
    stage.type(":500ms<Enter>")
    #expect(stage.screen[2].hasPrefix("4 active "))
    // A message on the last line doesn't hide the number.
    #expect(stage.viewer.layout.overview == 1..<3)
    stage.type("&lane:request<Enter>")
    #expect(stage.screen[1].hasPrefix("4 events "))
    #expect(stage.screen[2].hasPrefix("2 active "))
  }

  @Test("The visible part is a window in the whole log, at every zoom")
  func window() throws {
    var stage = try ViewerStage(StageLogs.burst)
    #expect(!stage.screen[1].contains("[") && !stage.screen[1].contains("]"))
    stage.type(":500ms<Enter>")
    for _ in 0..<30 {
      stage.type("w")
      let (viewer, layout) = (stage.viewer, stage.viewer.layout)
      let scale = VisibleRange.all(of: viewer.log).scale(columns: layout.cells)
      let window = viewer.timeline.window
      let left = layout.labelWidth + ViewLayout.gap
      let first = left + scale.column(of: window.start) - 1
      let last = left + scale.column(of: window.end.since(Nanoseconds(1))) + 1
      for row in layout.overview {
        let line = Array(stage.screen[row].padding(to: 80))
        #expect(first < left || line[first] == "[")
        #expect(last >= 80 || line[last] == "]")
        #expect(line.count { $0 == "[" } == (first < left ? 0 : 1))
      }
    }
  }

  @Test(
    "Small terminals have fewer rows of the overview, and the last line has the number instead",
    arguments: [(24, 2), (20, 2), (19, 1), (15, 1), (12, 1), (11, 0), (5, 0)])
  func sizes(rows: Int, expected: Int) throws {
    var stage = try ViewerStage(SampleLog.leak, columns: 60, rows: rows, typing: ":500ms<Enter>")
    stage.type("kkkk")
    #expect(stage.viewer.layout.overview.count == expected)
    let isInFooter = stage.footer.hasPrefix("500 ms  4 active  ")
    #expect(isInFooter == (expected == 0))
    let isInOverview = stage.viewer.layout.overview.last.map {
      stage.screen[$0].hasPrefix("4 active ")
    }
    #expect(isInOverview != false)
  }

  @Test("A click goes to a time of the whole log, and dragging marks a range")
  func mouse() throws {
    var stage = try ViewerStage(StageLogs.burst, typing: "Mwwww")
    let left = stage.viewer.layout.labelWidth + ViewLayout.gap
    let scale = VisibleRange.all(of: stage.viewer.log).scale(columns: stage.viewer.layout.cells)
    stage.send(.input(.mouse(.init(kind: .press(button: 0), column: left + 40, row: 1))))
    #expect(scale.column(of: stage.timeline.cursor) == 40)
    #expect(stage.timeline.window.contains(stage.timeline.cursor))
    stage.send(.input(.mouse(.init(kind: .drag(button: 0), column: left + 50, row: 2))))
    let marks = stage.timeline.marks.times
    #expect(marks.map { scale.column(of: $0) } == [40, 50])
  }

  @Test("Logs without subscriptions have no overview")
  func nothing() throws {
    let log = SampleLog.make([#"{"t":100000000,"event":"mark","name":"begin"}"#])
    #expect(try ViewerStage(log).viewer.layout.overview.isEmpty)
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
