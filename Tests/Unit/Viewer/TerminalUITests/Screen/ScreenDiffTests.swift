import Testing

@testable import TerminalUI

@Suite("ScreenDiff")
struct ScreenDiffTests {
  @Test("Equal screens don't need any bytes")
  func same() {
    let screen = screen("abc", "日本")
    #expect(ScreenDiff.bytes(from: screen, to: screen, depth: .full).isEmpty)
  }

  @Test("An unknown or resized screen is redrawn completely")
  func all() {
    #expect(
      diff(nil, screen("ab", "", "", "c")) == "\u{1B}[?25l\u{1B}[m\u{1B}[H\u{1B}[2Jab\u{1B}[4Hc")
    let other = Screen(Frame(), columns: 3, rows: 4)
    #expect(diff(other, screen("ab")) == "\u{1B}[?25l\u{1B}[m\u{1B}[H\u{1B}[2Jab")
  }

  @Test(
    "Only changed cells are written",
    arguments: [
      (old: "abcdef", new: "abcxef", bytes: "\u{1B}[1;4Hx"),
      (old: "abcdef", new: "xbcdef", bytes: "\u{1B}[Hx"),
      (old: "abcdef", new: "xbcdyf", bytes: "\u{1B}[Hxbcdy"),
      (old: "abcdefghi", new: "xbcdefghy", bytes: "\u{1B}[Hx\u{1B}[7Cy"),
      (old: "abcdef", new: "ab", bytes: "\u{1B}[1;3H\u{1B}[K"),
      (old: "abcdef", new: "xb", bytes: "\u{1B}[Hx\u{1B}[C\u{1B}[K"),
      (old: "ab", new: "abcd", bytes: "\u{1B}[1;3Hcd"),
      (old: "a日b", new: "a本b", bytes: "\u{1B}[1;2H本"),
      (old: "a日b", new: "axyb", bytes: "\u{1B}[1;2Hxy"),
      (old: "abcdefghij", new: "abcdefghix", bytes: "\u{1B}[1;10Hx"),
      (old: "ab", new: "a😀c", bytes: "\u{1B}[1;2H   \u{1B}[2G😀\u{1B}[4Gc\u{1B}[K"),
      (old: "a😀c", new: "abcc", bytes: "\u{1B}[1;2Hbcc\u{1B}[K"),
    ])
  func changes(old: String, new: String, bytes: String) {
    #expect(diff(screen(old), screen(new)) == bytes)
  }

  @Test("The cursor moves to the next row on the shortest path")
  func rows() {
    #expect(diff(screen("a", "b"), screen("xy", "z")) == "\u{1B}[Hxy\r\nz")
    #expect(diff(screen("a", "b", "c"), screen("x", "b", "y")) == "\u{1B}[Hx\u{1B}[3Hy")
  }

  @Test("Styles are written only where they change, and the last one is reset")
  func styles() {
    var line = Line("ab", .bold)
    line.append("cd", .dim)
    line.append("e")
    line.append("f", Style(color: .red))
    let screen = Screen(Frame([line]), columns: 10, rows: 1)
    let blank = Screen(Frame(), columns: 10, rows: 1)
    #expect(diff(blank, screen) == "\u{1B}[H\u{1B}[1mab\u{1B}[0;2mcd\u{1B}[me\u{1B}[31mf\u{1B}[m")
    #expect(diff(blank, screen, depth: .none) == "\u{1B}[H\u{1B}[1mab\u{1B}[0;2mcd\u{1B}[mef")
  }

  @Test("Changing one cell takes 25 bytes")
  func oneCell() {
    let bytes = ScreenDiff.bytes(
      from: screen("", "", "abc"), to: screen("", "", "abd"), depth: .full)
    #expect(bytes.count == 8 + 6 + 1 + 2 + 8)
  }

  @Test("The cursor is hidden while drawing and shown where text is typed")
  func cursor() {
    func at(_ column: Int?, _ text: String = "a") -> Screen {
      let cursor = column.map { Frame.Position(row: 1, column: $0) }
      return Screen(Frame([Line(text)], cursor: cursor), columns: 10, rows: 4)
    }
    #expect(diff(at(nil), at(2)) == "\u{1B}[2;3H\u{1B}[?25h")
    #expect(diff(at(2), at(3)) == "\u{1B}[2;4H")
    #expect(diff(at(2), at(nil)) == "\u{1B}[?25l")
    #expect(diff(at(2), at(2, "b")) == "\u{1B}[?25l\u{1B}[Hb\u{1B}[2;3H\u{1B}[?25h")
    #expect(diff(at(nil), at(nil, "b")) == "\u{1B}[Hb")
  }

  private func screen(_ lines: String...) -> Screen {
    Screen(Frame(lines.map { Line($0) }), columns: 10, rows: 4)
  }

  /// Returns the bytes between the begin and end marks of an update.
  private func diff(_ old: Screen?, _ new: Screen, depth: ColorDepth = .eight) -> String {
    let text = String(decoding: ScreenDiff.bytes(from: old, to: new, depth: depth), as: UTF8.self)
    #expect(text.hasPrefix(ScreenDiff.beginUpdate) && text.hasSuffix(ScreenDiff.endUpdate))
    let drawn = String(
      text.dropFirst(ScreenDiff.beginUpdate.count).dropLast(ScreenDiff.endUpdate.count))
    // The last command moves the hidden cursor to the last row.
    let ends = ["\u{1B}[\(new.rows)H", "\r\n", "\r"]
    guard new.cursor == nil, let end = ends.first(where: drawn.hasSuffix) else { return drawn }
    return String(drawn.dropLast(end.count))
  }

  @Test("A hidden cursor waits at the beginning of the last row, where a shell may print")
  func waiting() {
    let bytes = ScreenDiff.bytes(from: screen("a"), to: screen("b"), depth: .eight)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasSuffix("\u{1B}[Hb\u{1B}[4H" + ScreenDiff.endUpdate))
  }
}
