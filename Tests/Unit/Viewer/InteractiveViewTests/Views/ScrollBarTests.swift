import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceFormat

@Suite("ScrollBar")
struct ScrollBarTests {
  private func bar(_ stage: ViewerStage) -> [String] {
    let layout = stage.viewer.layout
    guard layout.scrollBar != nil else { return [] }
    return ScrollBar(stage.viewer, layout).cells.map(\.text)
  }

  @Test("A timeline that fits has no scroll bar")
  func fits() throws {
    let stage = try ViewerStage(StageLogs.lanes(5))
    #expect(bar(stage) == [])
    #expect(stage.viewer.layout.cells == 80 - stage.viewer.layout.labelWidth - 1)
  }

  @Test("The bar shows which part of the timeline is visible")
  func visible() throws {
    var stage = try ViewerStage(StageLogs.lanes(40))
    let height = stage.viewer.layout.timeline.count
    #expect(bar(stage).count == height)
    #expect(bar(stage).first == "█")
    #expect(bar(stage).last == "┊")
    let filled = bar(stage).count { $0 == "█" }
    #expect((1..<height).contains(filled))
    stage.type(String(repeating: "<PgDn>", count: 8))
    #expect(bar(stage).first == "┊")
    #expect(bar(stage).last == "█")
    #expect(stage.screen[stage.viewer.layout.timeline].allSatisfy { $0.count == 80 })
  }

  @Test("The bar shows where hits, findings and failures are in the whole list")
  func signs() throws {
    let lanes = StageLogs.lanes(38).split(separator: "\n").dropLast().map { $0 + "\n" }.joined()
    let log =
      lanes
      + [
        SampleLog.subscribe(90, "breaks", at: 600 * StageLogs.ms, line: 90),
        SampleLog.end("failed", 90, "breaks", at: 700 * StageLogs.ms),
        SampleLog.subscribe(91, "leaks", at: 800 * StageLogs.ms, line: 91),
      ].map { $0 + "\n" }.joined()
    var stage = try ViewerStage(log)
    // The signs of bars would be read as those of the row next to them.
    #expect(!bar(stage).contains { "✗!■".contains($0) })
    let marked = bar(stage).count { $0 == "•" }
    #expect((1...2).contains(marked))
    stage.type("/lane38<Enter>")
    let hits = ScrollBar(stage.viewer, stage.viewer.layout).cells.filter { cell in
      cell.text == "•" && cell.style.color == ScrollBar.hitStyle.color
    }
    #expect(hits.count == 1)
    stage.type("<Esc>")
    #expect(bar(stage).count { $0 == "•" } == marked)
  }

  @Test("A click on the bar selects that part of the list")
  func click() throws {
    var stage = try ViewerStage(StageLogs.lanes(40), typing: "M")
    let layout = stage.viewer.layout
    let column = try #require(layout.scrollBar)
    stage.send(
      .input(
        .mouse(
          MousePress(
            kind: .press(button: 0), column: column, row: layout.timeline.upperBound - 1))))
    #expect(stage.timeline.list.selected >= 34)
    #expect(stage.timeline.cursor == .zero)
  }

  @Test("The axis shows the times of hits")
  func axis() throws {
    var stage = try ViewerStage(StageLogs.origins)
    let row = stage.viewer.layout.axis.upperBound - 1
    #expect(!stage.screen[row].contains("•"))
    stage.type("G/\"swift 6\"")
    #expect(stage.screen[row].count { $0 == "•" } == 1)
  }
}
