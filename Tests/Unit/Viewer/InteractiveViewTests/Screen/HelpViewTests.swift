import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceWords
@testable import ViewerConsole

@Suite("Help")
struct HelpViewTests {
  /// Returns the expected help in the order of the key table.
  private func expected(isASCII: Bool) -> [[String]] {
    KeyTable.sections.flatMap { section in
      [[section.title]]
        + section.bindings.map { $0.keys.map { KeyName.of($0, isASCII: isASCII) } + [$0.help] }
    }
  }

  /// Splits lines of help into their keys and meanings.
  private func entries(_ lines: [Line]) -> [[String]] {
    lines.filter { !$0.text.isEmpty }.map { line in
      guard line.spans.count == 3 || line.spans.count == 4, line.text.hasPrefix("  ") else {
        return [line.text]
      }
      let keys = line.spans[1].text.split(separator: " ").map(String.init)
      let meaning = line.spans[2...].map(\.text).joined()
      return keys + [String(meaning.drop { $0 == " " })]
    }
  }

  @Test(
    "Help in one column lists exactly the bindings of the key table",
    arguments: [Glyphs.unicode, .ascii])
  func oneColumn(glyphs: Glyphs) {
    let page = Page(width: 80, glyphs: glyphs)
    let signs = SignsView.lines(columns: 80, page)
    let lines = HelpView.lines(columns: 80, page).dropLast(signs.count)
    #expect(entries(Array(lines)) == expected(isASCII: glyphs.isASCII))
  }

  @Test(
    "Help ends with the signs of tasks", arguments: [Glyphs.unicode, .ascii], [20, 80, 120, 200])
  func signs(glyphs: Glyphs, columns: Int) {
    let page = Page(width: columns, glyphs: glyphs)
    let words = HelpView.lines(columns: columns, page).flatMap { $0.text.split(separator: " ") }
    for sign in [
      glyphs.runs, glyphs.waitsForContinuation, glyphs.waitsForTask, glyphs.waitsForGroup,
      glyphs.waitsForTurn,
    ] { #expect(words.contains { $0 == sign }, "\(sign)") }
  }

  @Test("Help in two columns shows every binding completely", arguments: [104, 120, 140, 200])
  func twoColumns(columns: Int) {
    let page = Page(width: columns, glyphs: .unicode)
    let text = HelpView.lines(columns: columns, page).map(\.text).joined(separator: "\n")
    for binding in KeyTable.bindings {
      #expect(text.contains(binding.help), "\(binding.meaning)")
      #expect(text.contains(binding.names(isASCII: false)), "\(binding.meaning)")
    }
  }

  @Test("Help keeps a space between the keys and their meaning", arguments: [20, 24, 30, 40, 60])
  func narrow(columns: Int) {
    let page = Page(width: columns, glyphs: .ascii)
    for line in HelpView.lines(columns: columns, page) where line.spans.count > 1 {
      #expect(line.columns <= columns)
      #expect(line.spans.dropFirst(2).first.map { $0.text.hasPrefix(" ") } ?? true, "\(line.text)")
    }
  }

  @Test("Help opens with a question mark, scrolls, and closes with any other key")
  func opensAndCloses() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "?")
    #expect(stage.screen[0] == "KEYS")
    let lastRow = HelpView.lines(stage.viewer.help, columns: 80, stage.viewer.page).count - 22
    stage.type("jj<PgDn>")
    #expect(stage.viewer.help.row == 2 + 21)
    stage.type("k")
    #expect(stage.viewer.help.row == 22)
    stage.type("G")
    #expect(stage.viewer.help.row == lastRow)
    #expect(stage.screen.last == "any key closes")
    stage.type("j<Space><PgDn>")
    #expect(stage.viewer.help.row == lastRow)
    stage.type("<PgUp>g")
    #expect(stage.viewer.help.row == 0)
    for key in ["x", "q", "<Esc>", "?", "<Enter>", "<BS>"] {
      stage.type(key)
      #expect(!stage.viewer.help.isShown, "\(key)")
      #expect(stage.viewer.prompt == nil)
      stage.type("?")
    }
    #expect(stage.effects == [])
  }

  @Test("F1 lists the terms of queries in full while a query is typed", arguments: [60, 80, 120])
  func terms(columns: Int) throws {
    var stage = try ViewerStage(SampleLog.leak, columns: columns, rows: 60, typing: "&lane:<F1>")
    let screen = stage.screen.joined(separator: "\n")
    #expect(stage.screen[0] == "QUERIES")
    for (term, meaning) in QueryWords.terms {
      #expect(screen.contains(term), "\(term)")
      for word in meaning.split(separator: " ") { #expect(screen.contains(word), "\(word)") }
    }
    stage.type("q")
    #expect(stage.footer.hasPrefix("&lane:"))
    stage.type("<Esc>?")
    #expect(stage.screen[0] == "KEYS")
  }

  @Test("A key without a function closes the help")
  func closesByAnyKey() throws {
    let stage = try ViewerStage(SampleLog.leak, typing: "?W")
    #expect(!stage.viewer.help.isShown)
  }

  @Test("Interrupt, suspend and redraw work while the help is open")
  func programKeys() throws {
    let stage = try ViewerStage(SampleLog.leak, typing: "?<C-l><C-z><C-c>")
    #expect(stage.effects == [.redraw, .suspend, .quit(.interrupted)])
  }
}
