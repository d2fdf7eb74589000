import TerminalTestSupport
import TestSupport
import Testing

@testable import TerminalUI

@Suite("ScreenDiff over random frames")
struct ScreenDiffRandomTests {
  private static let pieces = [
    "a", "b", " ", "   ", "long text ", "─", "│█", "é", "e\u{301}", "日", "本語", "한", "😀", "👩‍👩‍👧‍👦",
    "🇩🇪", "❤️", "1️⃣", "👍🏽", "ｱ", "\u{301}", "क्षि",
  ]
  private static let styles = [
    Style.plain, .plain, .bold, .dim, .reversed, Style(color: .red), Style(color: .blue, shade: 2),
    Style(color: .green, isUnderlined: true),
  ]

  @Test(
    "A diff turns any screen into any other",
    arguments: [ColorDepth.none, .eight, .palette, .full],
    [EmulatedScreen.Widths.clusters, .characters])
  func random(depth: ColorDepth, widths: EmulatedScreen.Widths) {
    var random = FixedNumbers(seed: UInt64(depth.rawValue))
    for _ in 0..<60 {
      let columns = Int.random(in: 1...24, using: &random)
      let rows = Int.random(in: 1...4, using: &random)
      var terminal = EmulatedScreen(columns: columns, rows: rows, widths: widths)
      // The initial state of a session, with unknown content on the screen.
      terminal.feed("\u{1B}[?7l\u{1B}[?25l日本語\u{1B}[31m".utf8)
      var old: Screen?
      var frame = Frame()
      for _ in 0..<8 {
        frame = changed(frame, columns, rows, &random)
        let new = Screen(frame, columns: columns, rows: rows)
        terminal.feed(ScreenDiff.bytes(from: old, to: new, depth: depth))
        expect(terminal, new, depth)
        old = new
      }
    }
  }

  private func expect(_ terminal: EmulatedScreen, _ screen: Screen, _ depth: ColorDepth) {
    #expect(terminal.unknown == [])
    #expect(!terminal.isUpdating)
    #expect(terminal.isCursorShown == (screen.cursor != nil))
    if let cursor = screen.cursor {
      #expect(terminal.cursor == .init(row: cursor.row, column: cursor.column))
    }
    #expect(terminal.look == EmulatedLook())
    for row in 0..<screen.rows {
      let expected = screen.row(row)
      for (column, cell) in expected.cells.enumerated() {
        let shown = terminal.cells[row][column]
        // A terminal without cluster support may show uncertain clusters in any way.
        let isPart = cell.isSecondHalf && expected.cells[column - 1].isUncertain
        if terminal.widths == .characters, cell.isUncertain || isPart { continue }
        #expect(shown.text == expected.text(column))
        #expect(shown.look == EmulatedLook(cell.style, depth))
      }
    }
  }

  private func changed(
    _ frame: Frame, _ columns: Int, _ rows: Int, _ random: inout FixedNumbers
  ) -> Frame {
    var frame = frame
    for row in 0..<rows where Bool.random(using: &random) {
      var line = Line()
      // Lines often keep their ends and change in the middle.
      let kept = row < frame.lines.count ? frame.lines[row].spans : []
      let isKept = Bool.random(using: &random)
      for span in kept.prefix(isKept ? Int.random(in: 0...3, using: &random) : 0) {
        line.append(span.text, span.style)
      }
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        line.append(
          Self.pieces.randomElement(using: &random) ?? "",
          Self.styles.randomElement(using: &random) ?? .plain)
      }
      for span in isKept ? kept.suffix(2) : [] { line.append(span.text, span.style) }
      while frame.lines.count <= row { frame.lines.append(Line()) }
      frame.lines[row] = line
    }
    frame.cursor = nil
    if Bool.random(using: &random) {
      frame.cursor = .init(
        row: .random(in: 0..<rows, using: &random), column: .random(in: 0..<columns, using: &random)
      )
    }
    return frame
  }
}
