import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import TraceWords
@testable import ViewerConsole

@Suite("Keys in a comparison")
struct UpdateComparisonTests {
  private func kinds(rows: Int = 24) throws -> ComparisonStage {
    try ComparisonStage(ComparisonLogs.kinds.old, ComparisonLogs.kinds.new, rows: rows)
  }

  @Test("The rows are those of the comparison, with what is worse first")
  func order() throws {
    let stage = try kinds()
    #expect(
      stage.viewer.logs.rows.map(\.name)
        == ["leaks", "fails", "fixed", "new", "gone", "changed", "still leaks", "same"])
    #expect(stage.viewer.logs.differing == 6)
  }

  @Test("Arrows and letters move the selection within the list")
  func moving() throws {
    var stage = try kinds()
    stage.type("k")
    #expect(stage.selectedName == "leaks")
    stage.type("j<Down>")
    #expect(stage.selectedName == "fixed")
    stage.type("G")
    #expect(stage.selectedName == "same")
    stage.type("jjj<PgDn>")
    #expect(stage.selectedName == "same")
    stage.type("g")
    #expect(stage.selectedName == "leaks")
  }

  @Test("The selected row is always visible", arguments: [5, 8, 15, 16, 24, 42])
  func visible(rows: Int) throws {
    var stage = try kinds(rows: rows)
    for key in "jjjjjjjjjkkkGgttG" {
      stage.type(String(key))
      let name = try #require(stage.selectedName)
      #expect(stage.screen.contains { $0.dropFirst(2).hasPrefix(name) }, "\(stage.testDescription)")
    }
  }

  @Test("t shows only the rows that differ, and again everything")
  func filter() throws {
    var stage = try kinds()
    stage.type("Gt")
    #expect(stage.selectedName == "changed")
    #expect(stage.footer == "only differences")
    #expect(!stage.screen.contains { $0.contains("still leaks") })
    stage.type("t")
    #expect(stage.viewer.count == 8)
    let same = try ComparisonStage(SampleLog.clean, SampleLog.clean, typing: "t")
    #expect(same.footer == "nothing differs")
    #expect(same.viewer.count == 2)
  }

  @Test("! and @ go to the rows with findings that differ")
  func findings() throws {
    var stage = try kinds()
    stage.type("!")
    #expect(stage.selectedName == "fixed")
    stage.type("!")
    #expect(stage.selectedName == "leaks")
    stage.type("@")
    #expect(stage.selectedName == "fixed")
    let same = try ComparisonStage(SampleLog.leak, SampleLog.leak, typing: "!")
    #expect(same.footer == "no finding differs")
  }

  @Test("Escape goes back one step at a time, and then does nothing")
  func back() throws {
    var stage = try kinds()
    stage.type("wt/new<Enter><Enter>")
    #expect(stage.viewer.focus == .pane)
    stage.type("<Esc>")
    #expect(stage.viewer.search == nil)
    #expect(stage.viewer.focus == .pane)
    stage.type("<Esc>")
    #expect(stage.viewer.focus == .timeline)
    #expect(stage.viewer.hidesSame)
    stage.type("<Esc>")
    #expect(!stage.viewer.hidesSame)
    #expect(stage.viewer.window != stage.viewer.all)
    stage.type("<Esc>")
    #expect(stage.viewer.window == stage.viewer.all)
    #expect(stage.effects.isEmpty)
    stage.type("<Esc>")
    #expect(stage.footer == "nothing to go back from; q quits")
    #expect(stage.effects.isEmpty)
    #expect(stage.selectedName == "new")
  }

  @Test("q quits, but first leaves a detail that covers the list")
  func quitting() throws {
    var small = try kinds(rows: 15)
    small.type("<Enter>q")
    #expect(small.effects.isEmpty)
    small.type("q")
    #expect(small.effects == [.quit(.clean)])
    var large = try kinds()
    large.type("<Enter>q")
    #expect(large.effects == [.quit(.clean)])
    var interrupted = try kinds()
    interrupted.type("/x<C-c>")
    #expect(interrupted.effects == [.quit(.interrupted)])
  }

  @Test("A search goes to the first hit while typing, and Escape goes back")
  func searching() throws {
    var stage = try kinds()
    stage.type("j/LEAK")
    #expect(stage.footer.hasSuffix("no hits"))
    stage.type("<C-u>leak")
    #expect(stage.selectedName == "still leaks")
    #expect(stage.footer == "/leak  2 hits")
    stage.type("<Esc>")
    #expect(stage.selectedName == "fails")
    stage.type("/leak<Enter>n")
    #expect(stage.selectedName == "leaks")
    stage.type("N")
    #expect(stage.selectedName == "still leaks")
    stage.type("/Model.swift:8<Enter>")
    #expect(stage.selectedName == "new")
    stage.type("n")
    #expect(stage.footer == "no other hit")
  }

  @Test("Zooming changes the times of both logs, and stops at the whole and at a nanosecond")
  func zooming() throws {
    var stage = try kinds()
    let all = stage.viewer.window
    #expect(all.duration > 2_000_000_000)
    stage.type(")))))ww")
    #expect(stage.viewer.window.duration == all.duration / 4)
    #expect(stage.viewer.window.contains(stage.viewer.cursor))
    stage.type("d")
    #expect(stage.viewer.window.contains(stage.viewer.cursor))
    for _ in 0..<60 { stage.type("w") }
    #expect(stage.viewer.window.duration == UInt64(stage.viewer.layout.cells))
    for _ in 0..<60 { stage.type("s") }
    #expect(stage.viewer.window == all)
    stage.type("wf")
    #expect(stage.viewer.window == all)
    stage.type("a")
    #expect(stage.footer == "everything is in view; w zooms in")
  }

  @Test("The footer has the numbers of active subscriptions at the cursor")
  func status() throws {
    var stage = try kinds(rows: 15)
    #expect(stage.footer.hasPrefix("0  A 0 active  B 0 active  leaks"))
    stage.type("/same<Enter>l")
    #expect(stage.footer.contains("A 1 active  B 1 active"))
    for _ in 0..<20 { stage.type(")") }
    #expect(stage.footer.contains("A has ended  B 0 active"))
    stage.type("/gone<Enter>g<Left>")
    #expect(stage.viewer.cursor < Nanoseconds(2_000_000_000))
  }

  @Test("The detail scrolls from its first line to its last one")
  func detail() throws {
    var stage = try kinds(rows: 15)
    stage.type("<Enter>")
    let top = stage.screen
    stage.type("k")
    #expect(stage.screen == top)
    stage.type("G")
    let last = try #require(stage.viewer.detail.last?.text)
    #expect(stage.screen.contains { $0 == last })
    stage.type("g")
    #expect(stage.screen == top)
  }

  @Test("The detail begins with its first line after a filter selects another row")
  func detailOfAnotherRow() throws {
    var stage = try kinds(rows: 5)
    stage.type("Gk<Enter>G")
    #expect(stage.selectedName == "still leaks")
    #expect(stage.viewer.firstDetail > 0)
    stage.type("t")
    #expect(stage.selectedName == "changed")
    #expect(stage.viewer.detail.count > stage.viewer.layout.detail.count)
    #expect(stage.viewer.firstDetail == 0)
  }

  @Test("y copies the name and the whole detail")
  func copying() throws {
    var stage = try kinds()
    stage.type("y")
    guard case .copy(let text) = stage.effects.first else {
      Issue.record("nothing copied")
      return
    }
    #expect(text.hasPrefix("leaks\nApp/Model.swift:13\nsubscriptions 1"))
    #expect(text.contains("+ new  error[undisposed]"))
    #expect(text.contains("\n  fix: Dispose it with its owner"))
  }

  @Test("The help lists each key once, and any other key closes it")
  func help() throws {
    var stage = try kinds(rows: 60)
    stage.type("?")
    #expect(stage.screen[0] == "KEYS")
    #expect(stage.screen.contains { $0.contains("show only differences, or everything") })
    let keys = ComparisonKeys.sections.flatMap(\.bindings).flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
    #expect(ComparisonKeys.sections.flatMap(\.bindings).allSatisfy { !$0.keys.isEmpty })
    stage.type("x")
    #expect(stage.screen[0].hasPrefix("A before.jsonl"))
  }

  @Test("A key of the view of one log does nothing but print a message")
  func unknown() throws {
    var stage = try kinds()
    stage.type("m")
    #expect(stage.footer == "m does nothing here; ? lists the keys")
    _ = stage.viewer.update(.paste("x"))
    #expect(stage.footer == "paste works only after /")
  }

  @Test("Every number of the view is that of the comparison")
  func numbers() throws {
    let (old, new) = try ComparisonLogs.search()
    let stage = try ComparisonStage(old, new, columns: 140, rows: 200)
    let comparison = stage.viewer.logs.diff.comparison
    let lanes = comparison.lanes + comparison.sameLanes
    #expect(stage.viewer.logs.rows.count == lanes.count)
    for lane in lanes {
      let row = try #require(stage.screen.firstIndex { $0.dropFirst(2).hasPrefix(lane.name + " ") })
      for (line, summary) in [(row, lane.old), (row + 1, lane.new)] {
        let words = stage.screen[line].split(separator: " ").map(String.init)
        let letter = try #require(words.firstIndex { $0 == "A" || $0 == "B" })
        let expected = LaneFigure.allCases.map { figure in
          let value = figure.value(in: summary)
          return value == 0 ? "·" : "\(value)"
        }
        #expect(Array(words[(letter + 1)...].prefix(4)) == expected, "\(stage.screen[line])")
      }
    }
  }
}
