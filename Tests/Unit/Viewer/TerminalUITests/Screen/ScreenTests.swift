import Testing

@testable import TerminalUI

@Suite("Screen")
struct ScreenTests {
  @Test("A screen shows the lines of a frame and cuts what doesn't fit")
  func cut() {
    let frame = Frame([Line("abc"), Line("abcdef"), Line("日本語"), Line("more")])
    #expect(Screen(frame, columns: 5, rows: 3).lines() == ["abc", "abcde", "日本"])
    #expect(
      Screen(frame, columns: 10, rows: 6).lines() == ["abc", "abcdef", "日本語", "more", "", ""])
    #expect(Screen(frame, columns: 1, rows: 3).lines() == ["a", "a", ""])
    #expect(Screen(frame, columns: 0, rows: 2).lines() == ["", ""])
    #expect(Screen(frame, columns: -1, rows: -1).lines() == [])
  }

  @Test("A row has one cell per column, each with its cluster and style")
  func cells() {
    var line = Line("e\u{301}日", .bold)
    line.append("👩‍👧x\u{301}", .dim)
    let row = Screen(Frame([line]), columns: 7, rows: 1).row(0)
    #expect(row.cells.indices.map(row.text) == ["é", "日", "", "👩‍👧", "", "x\u{301}", " "])
    #expect(
      row.cells.map(\.kind) == [
        .uncertainNarrow, .wide, .secondHalf, .uncertainWide, .secondHalf, .uncertainNarrow,
        .narrow,
      ])
    #expect(row.cells.map(\.style) == [.bold, .bold, .bold, .dim, .dim, .dim, .plain])
  }

  @Test("Control characters are removed")
  func control() {
    #expect(
      Screen(Frame([Line("a\u{1B}[2Jb\u{9B}c")]), columns: 20, rows: 1).lines() == ["a [2Jb c"])
  }

  @Test("A cursor outside the screen isn't shown")
  func cursor() {
    func cursor(_ row: Int, _ column: Int) -> Frame.Position? {
      Screen(Frame(cursor: .init(row: row, column: column)), columns: 4, rows: 2).cursor
    }
    #expect(cursor(1, 3) == Frame.Position(row: 1, column: 3))
    #expect(cursor(2, 0) == nil)
    #expect(cursor(0, 4) == nil)
    #expect(cursor(-1, 0) == nil)
  }
}
