import Testing

@testable import TerminalUI

@Suite("Hyperlink")
struct HyperlinkTests {
  private func link(_ path: String, _ line: Int? = 7) throws -> Hyperlink {
    try #require(Hyperlink(file: path, line: line, host: "host"))
  }

  private func bytes(_ old: Screen?, _ new: Screen, showsLinks: Bool = true) -> String {
    let text = String(
      decoding: ScreenDiff.bytes(from: old, to: new, depth: .eight, showsLinks: showsLinks),
      as: UTF8.self)
    let drawn = String(
      text.dropFirst(ScreenDiff.beginUpdate.count).dropLast(ScreenDiff.endUpdate.count))
    // The last command moves the hidden cursor to the last row.
    let end = new.rows > 1 ? "\u{1B}[\(new.rows)H" : "\r"
    return drawn.hasSuffix(end) ? String(drawn.dropLast(end.count)) : drawn
  }

  private func screen(_ link: Hyperlink?, _ style: Style = .plain) -> Screen {
    var line = Line("a ")
    var linked = style
    linked.link = link
    line.append("b日", linked)
    line.append("c")
    return Screen(Frame([line]), columns: 10, rows: 1)
  }

  @Test("A link begins before its text and ends after it, so that widths stay the same")
  func sequence() throws {
    let link = try link("/code/A.swift")
    let blank = Screen(Frame(), columns: 10, rows: 1)
    let open = "\u{1B}]8;;file://host/code/A.swift#7\u{1B}\\"
    let close = "\u{1B}]8;;\u{1B}\\"
    #expect(bytes(blank, screen(link)) == "\u{1B}[Ha \(open)b日\(close)c")
    #expect(bytes(blank, screen(link, .bold)) == "\u{1B}[Ha \(open)\u{1B}[1mb日\(close)\u{1B}[mc")
    #expect(screen(link).columns == 10)
  }

  @Test("Only the linked cells are drawn again when a link changes")
  func changes() throws {
    let (first, second) = (try link("/a"), try link("/b", nil))
    let text = bytes(screen(first), screen(second))
    #expect(
      text == "\r\u{1B}[2C\u{1B}]8;;file://host/b\u{1B}\\b日\u{1B}]8;;\u{1B}\\"
        || text == "\u{1B}[1;3H\u{1B}]8;;file://host/b\u{1B}\\b日\u{1B}]8;;\u{1B}\\")
    #expect(ScreenDiff.bytes(from: screen(first), to: screen(first), depth: .eight).isEmpty)
  }

  @Test("Without links, a terminal gets only the text")
  func off() throws {
    let blank = Screen(Frame(), columns: 10, rows: 1)
    #expect(bytes(blank, screen(try link("/a")), showsLinks: false) == bytes(blank, screen(nil)))
  }

  @Test("A path can't end the sequence of a link")
  func encoding() throws {
    let link = try link("/\u{1B}\\ \u{7}ä#?%;")
    #expect(link.address == "file://host/%1B%5C%20%07%C3%A4%23%3F%25%3B#7")
    #expect(Hyperlink(file: "relative", line: 1, host: "") == nil)
    #expect(try self.link("/a") == self.link("/a"))
  }

  @Test(
    "Links are written only for terminals that show or ignore them",
    arguments: [
      ("xterm-256color", true), ("tmux-256color", true), ("dumb", false), ("linux", false),
      ("vt100", false), ("", false),
    ])
  func support(term: String, isSupported: Bool) {
    #expect(Hyperlink.areSupported(Environment(["TERM": term])) == isSupported)
  }
}
