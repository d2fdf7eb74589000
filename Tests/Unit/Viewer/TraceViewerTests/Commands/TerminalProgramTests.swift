import TerminalTestSupport
import TestSupport
import Testing
import ViewerTestSupport

/// Tests of the built program with keys and windows.
@Suite("The built program on a terminal", .ownThread)
struct TerminalProgramTests {
  @Test("The program shows the lanes of a log on the alternate screen without a cursor")
  func opens() throws {
    let viewer = try ViewerTerminal([BundledLog.leak], showsLog: true)
    #expect(viewer.terminal.attributes.isRaw)
    #expect(!viewer.screen.isCursorShown && !viewer.screen.wraps && viewer.screen.bracketsPastes)
    #expect(!viewer.screen.reportsMouse)
    #expect(viewer.lines[0].hasPrefix("search-sample (30822)"))
    for lane in ["search.results", "search.query", "search.keystrokes", "search.request"] {
      #expect(viewer.lines[3..<12].contains { $0.contains(lane) })
    }
    #expect(viewer.screen.unknown == [])
  }

  @Test("Keys zoom in and out")
  func zooms() throws {
    let viewer = try ViewerTerminal([BundledLog.leak], showsLog: true)
    let axis = viewer.lines[3]
    viewer.send("w")
    #expect(viewer.wait { $0.lines[3] != axis && $0.lines[3].contains("500 ms") })
    viewer.send("s")
    #expect(viewer.wait { $0.lines[3] == axis })
  }

  @Test("Searching shows a cursor while typing and then goes from hit to hit")
  func searches() throws {
    let viewer = try ViewerTerminal([BundledLog.leak], showsLog: true)
    viewer.send("/dispos")
    #expect(viewer.wait { $0.lines[28].hasPrefix("/dispos") && $0.isCursorShown })
    #expect(viewer.screen.cursor == .init(row: 28, column: 7))
    viewer.send("\r")
    #expect(viewer.wait { $0.lines[28] == "hit 1 of 14" && !$0.isCursorShown })
    viewer.send("n")
    #expect(viewer.wait { $0.lines[28] == "hit 2 of 14" })
    viewer.send("/nosuch\r")
    #expect(viewer.wait(for: "'nosuch' not found"))
  }

  @Test("A replay plays and pauses, and nothing is drawn while it is paused")
  func plays() throws {
    let viewer = try ViewerTerminal([BundledLog.leak], showsLog: true)
    #expect(playhead(viewer.screen) == 29)
    // The replay is slow, so that it doesn't reach the end even on a slow machine.
    viewer.send("<<< ")
    #expect(viewer.wait { $0.lines[0].contains("▶ 1/8x") && (playhead($0) ?? 0) > 30 })
    viewer.send(" ")
    #expect(viewer.wait { $0.lines[0].contains("‖ 1/8x") })
    let place = playhead(viewer.screen)
    #expect(viewer.terminal.isQuiet(milliseconds: 300))
    viewer.send(" ")
    #expect(viewer.wait { (playhead($0) ?? 0) > place ?? 0 })
  }

  @Test("The screen fits every window size, and a window that is too small shows a message")
  func resizes() throws {
    let viewer = try ViewerTerminal([BundledLog.leak], showsLog: true)
    let text = viewer.screen.text
    for (columns, rows) in [(60, 20), (200, 60), (20, 5), (100, 12)] {
      viewer.terminal.resize(columns: columns, rows: rows)
      #expect(viewer.wait { isWhole($0) })
    }
    for (columns, rows) in [(19, 5), (20, 4), (19, 1), (100, 4)] {
      viewer.terminal.resize(columns: columns, rows: rows)
      let sentence = "needs 20x5, is \(columns)x\(rows)"
      #expect(viewer.wait { $0.lines == [sentence] + Array(repeating: "", count: rows - 1) })
    }
    viewer.terminal.resize(columns: 1, rows: 1)
    #expect(viewer.wait { $0.lines[0].count == 1 })
    viewer.terminal.resize(columns: 100, rows: 30)
    #expect(viewer.wait { $0.text == text })
    #expect(viewer.end(with: "q") == .exited(0))
  }

  @Test("Pasted text is entered in a prompt and ignored elsewhere")
  func pastes() throws {
    let viewer = try ViewerTerminal([BundledLog.leak], showsLog: true)
    let text = viewer.screen.text
    viewer.send("\u{1B}[200~q\n\u{1B}[201~/")
    #expect(viewer.wait { $0.lines[28].hasPrefix("/F1 lists all terms") })
    viewer.send("\u{1B}[200~sig\nna\u{1B}[201~")
    #expect(viewer.wait { $0.lines[28].hasPrefix("/sig na") })
    // Two escapes that arrive together would be another key.
    viewer.send("\u{1B}")
    #expect(viewer.wait { $0.text == text })
    #expect(viewer.end(with: "q") == .exited(0))
  }

  @Test("The program doesn't use processor time while idle", .enabled(if: ProcessTimes.areKnown))
  func idles() throws {
    let viewer = try ViewerTerminal([BundledLog.leak], showsLog: true)
    #expect(isIdle(viewer))
    viewer.send("?")
    #expect(viewer.wait(for: "KEYS"))
    #expect(isIdle(viewer))
    viewer.send("?<  ")
    #expect(viewer.wait { $0.lines[0].contains("‖") })
    #expect(isIdle(viewer))
  }

  /// Reports whether the process neither runs nor draws for half a second. A process that polls a
  /// clock or redraws an unchanged screen is never idle.
  private func isIdle(_ viewer: ViewerTerminal) -> Bool {
    (0..<40).contains { _ in
      let before = ProcessTimes(viewer.process)
      let isQuiet = viewer.terminal.isQuiet(milliseconds: 500)
      return isQuiet && before != nil && ProcessTimes(viewer.process) == before
    }
  }

  private func playhead(_ screen: EmulatedScreen) -> Int? {
    screen.cells.lazy.compactMap { row in row.firstIndex { $0.text == "▼" } }.first
  }

  /// Reports whether the screen has its last line and no line exceeds the window.
  private func isWhole(_ screen: EmulatedScreen) -> Bool {
    let (header, footer) = (screen.lines[0], screen.lines[screen.rows - 1])
    // A line that the program cut ends with an ellipsis.
    return header.hasPrefix("search-sample")
      && (screen.columns < 40 ? header.hasSuffix("…") : footer.hasSuffix("? help"))
  }
}
