import Testing

@testable import TerminalUI

@Suite("DisplayWidth")
struct DisplayWidthTests {
  @Test(
    "Text is measured in columns",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한국", 4),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("😀", 2), ("👩‍👩‍👧‍👦", 2), ("🇩🇪", 2),
      ("❤️", 2), ("ｱ", 1), ("Ａ", 2), ("├─•✓■…┊▁█", 9),
    ])
  func columns(text: String, expected: Int) {
    #expect(DisplayWidth.columns(of: text) == expected)
  }

  @Test("Text is cut between characters and never exceeds the width")
  func cut() {
    #expect(DisplayWidth.cut("abcdef", to: 6, ellipsis: "…") == "abcdef")
    #expect(DisplayWidth.cut("abcdef", to: 4, ellipsis: "…") == "abc…")
    #expect(DisplayWidth.cut("日本語", to: 4, ellipsis: "…") == "日…")
    #expect(DisplayWidth.cut("abcdef", to: 2, ellipsis: "...") == "ab")
    #expect(DisplayWidth.cut("abc", to: 0, ellipsis: "…") == "")
    #expect(DisplayWidth.cutMiddle("Module/File.swift:42", to: 11, ellipsis: "…") == "Modul…ft:42")
    #expect(DisplayWidth.cutMiddle("日本語日本語", to: 7, ellipsis: "…") == "日…本語")
  }

  @Test("A line with several styles is cut to a width")
  func cutLine() {
    var line = Line("abc", .bold)
    line.append("def")
    #expect(line.cut(to: 6, ellipsis: "…") == line)
    #expect(line.cut(to: 5, ellipsis: "…").text == "abcd…")
    #expect(line.cut(to: 3, ellipsis: "…").text == "ab…")
  }

  @Test("The cursor column is set again after text whose width is uncertain")
  func column() {
    var line = Line("👩‍👧")
    line.append("x", .bold)
    #expect(line.render(color: false, setsColumn: true) == "👩‍👧\u{1B}[3Gx")
    #expect(line.render(color: false, setsColumn: false) == "👩‍👧x")
  }

  @Test("Trailing spaces of a line aren't written")
  func trailingSpace() {
    var line = Line("a", .bold)
    line.append("  ")
    line.append(" ", .dim)
    #expect(line.render(color: true, setsColumn: false) == "\u{1B}[1ma\u{1B}[0m")
  }
}
