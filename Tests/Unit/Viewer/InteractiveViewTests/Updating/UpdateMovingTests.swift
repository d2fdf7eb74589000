import TestSupport
import Testing

@testable import InteractiveView
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Moving")
struct UpdateMovingTests {
  private let ms = UInt64(StageLogs.ms)

  @Test("Moving stops at the edges of the log")
  func edges() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "hhh(")
    #expect(stage.timeline.cursor == .zero)
    stage.type("G))l")
    #expect(stage.timeline.cursor == stage.viewer.log.duration)
    stage.type("kkk<PgUp>")
    #expect(stage.timeline.list.selected == 0)
    stage.type("<PgDn><PgDn>jj")
    #expect(stage.timeline.list.selected == stage.timeline.list.items.count - 1)
  }

  @Test("Selecting a row chooses the subscription at the cursor, before it, or the first")
  func choosing() throws {
    var stage = try ViewerStage(StageLogs.origins)
    // Both requests are in the same row.
    stage.type("jj")
    #expect(stage.timeline.chosen == 2)
    stage.type("G")
    #expect(stage.timeline.chosen == 3)
    stage.type("mgeE")
    #expect(stage.timeline.chosen == 2)
  }

  @Test("The selected line stays on the screen")
  func scrolling() throws {
    var stage = try ViewerStage(StageLogs.lanes(60))
    for _ in 0..<70 {
      stage.type("j")
      let shown =
        stage.timeline.list.first..<stage.timeline.list.first + stage.viewer.layout.timeline.count
      #expect(shown.contains(stage.timeline.list.selected))
    }
    #expect(stage.screen.contains { $0.contains("lane60") })
    stage.send(.resized(columns: 80, rows: 8))
    #expect(stage.screen.contains { $0.contains("lane60") })
    stage.send(.resized(columns: 80, rows: 150))
    #expect(stage.timeline.list.first == 0)
  }

  @Test("Times can be shown as wall clock times or log times")
  func clock() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "jjG,T")
    #expect(stage.footer.hasPrefix("23:48:50.42"))
    #expect(stage.screen.contains { $0.contains("UTC") })
    stage.type("T")
    #expect(stage.footer.hasPrefix("300 ms"))
  }

  @Test(
    "A log that ends at the maximum time can be navigated",
    arguments: [(80, 24), (20, 5), (1, 1)])
  func endOfTime(columns: Int, rows: Int) throws {
    let log = SampleLog.make(
      [
        SampleLog.subscribe(1, "a", at: 0),
        #"{"t":\#(UInt64.max - 7),"event":"next","sub":1,"lane":"a","value":"x","thread":2}"#,
      ])
    let stage = try ViewerStage(log, columns: columns, rows: rows, typing: "ll).,w+ss-adfGjk ")
    #expect(stage.timeline.window.duration >= 1)
    #expect(stage.screen.count <= rows)
  }
}
