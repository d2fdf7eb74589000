import TestSupport
import Testing
import TraceWords

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis

@Suite("AxisView")
struct AxisViewTests {
  private func lines(_ viewer: Viewer) -> [Line] { AxisView(viewer, viewer.layout).lines }

  @Test("Each label begins above its tick at every zoom level", arguments: [false, true])
  func names(clock: Bool) throws {
    for columns in [20, 40, 80, 120, 300] {
      var stage = try ViewerStage(SampleLog.leak, columns: columns)
      stage.type(clock ? "Tllllll" : "llllll")
      for _ in 0..<40 {
        let axis = lines(stage.viewer).map { Array($0.text) }
        let text = AxisText(stage.viewer)
        let layout = stage.viewer.layout
        let scale = stage.timeline.window.scale(columns: layout.cells)
        for name in AxisView.ticks(scale, text).map({ ($0.column, $0.time) }) {
          let column = layout.labelWidth + ViewLayout.gap + name.0
          #expect("┬▼".contains(axis[1][column]))
          // The label is above its tick, or it was left out because it didn't fit.
          guard axis[0].indices.contains(column), axis[0][column] != " " else { continue }
          #expect(axis[0][column - 1] == " ")
        }
        #expect(axis.allSatisfy { $0.count <= columns })
        stage.type("w")
      }
    }
  }

  @Test("Marks, the range between them and the cursor are in their columns")
  func marks() throws {
    let stage = try ViewerStage(SampleLog.leak, typing: "llllmlllllml")
    let line = lines(stage.viewer)[1]
    let start = stage.viewer.layout.labelWidth + ViewLayout.gap
    let cells = Array(line.text).dropFirst(start).map { $0 }
    let scale = stage.timeline.window.scale(columns: stage.viewer.layout.cells)
    let marks = stage.timeline.marks.times.map { scale.column(of: $0) }
    try #require(marks.count == 2 && marks[0] < marks[1])
    #expect(cells[marks[0]] == "A" && cells[marks[1]] == "B")
    #expect(cells[scale.column(of: stage.timeline.cursor)] == "▼")
    var column = 0
    for span in line.spans {
      for character in span.text {
        if (marks[0] + 1..<marks[1]).contains(column - start) {
          #expect(span.style.isReversed, "\(character) in \(column - start)")
        }
        column += 1
      }
    }
  }

  @Test("The cursor is above its column at every zoom level")
  func cursor() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: ")))ll")
    for _ in 0..<40 {
      stage.type("wl")
      let viewer = stage.viewer
      let column = viewer.timeline.window.scale(columns: viewer.layout.cells).column(
        of: viewer.timeline.cursor)
      let cells = Array(lines(viewer)[1].text)
      #expect(cells.firstIndex(of: "▼") == viewer.layout.labelWidth + ViewLayout.gap + column)
    }
  }

  @Test("A key moves the cursor by one column if the whole log is in view")
  func stepsOfAll() throws {
    var wrong: [Int] = []
    for columns in 40...120 {
      var stage = try ViewerStage(SampleLog.leak, columns: columns)
      let cells = stage.viewer.layout.cells
      let scale = stage.timeline.window.scale(columns: cells)
      for column in 0..<cells / 2 {
        if scale.column(of: stage.timeline.cursor) != column { wrong.append(columns) }
        stage.type("l")
      }
    }
    #expect(wrong.isEmpty)
  }

  @Test("A key moves the cursor by one column at the maximum zoom")
  func steps() throws {
    var wrong: [Int] = []
    for columns in stride(from: 40, through: 120, by: TestLength.isLong ? 1 : 9) {
      var stage = try ViewerStage(SampleLog.leak, columns: columns, typing: "ll")
      for _ in 0..<40 { stage.type("w") }
      let window = stage.timeline.window
      var found: [Int] = []
      while stage.timeline.window == window {
        found.append(
          window.scale(columns: stage.viewer.layout.cells).column(of: stage.timeline.cursor))
        stage.type("l")
      }
      let first = try #require(found.first)
      #expect(found.count > 5)
      if found != Array(first..<first + found.count) { wrong.append(columns) }
    }
    #expect(wrong.isEmpty)
  }
}
