import TerminalTestSupport
import TestSupport
import Testing
import ViewerTestSupport

/// Tests of the built program with a mouse.
@Suite("The built program on a terminal: mouse", .ownThread)
struct TerminalProgramMouseTests {
  @Test("The mouse is on if requested, and M toggles it")
  func modes() throws {
    let viewer = try ViewerTerminal(["--mouse", BundledLog.leak], showsLog: true)
    #expect(viewer.screen.modes.isSuperset(of: [1002, 1006]))
    viewer.send("M")
    #expect(viewer.wait { $0.lines[28] == "mouse off" })
    #expect(viewer.screen.modes.isDisjoint(with: [1000, 1002, 1003, 1006]))
    viewer.send("M")
    #expect(viewer.wait { $0.lines[28] == "mouse on; M turns it off" })
    #expect(viewer.screen.modes.isSuperset(of: [1002, 1006]))
    #expect(viewer.end(with: "q") == .exited(0))
    viewer.expectRestored()
  }

  @Test("A click selects a row, a pane or a line in a pane")
  func clicks() throws {
    let viewer = try ViewerTerminal(["--mouse", BundledLog.leak], showsLog: true)
    let row = try #require(viewer.lines.firstIndex { $0.contains("▾ search.request") })
    click(viewer, column: 40, row: row)
    #expect(viewer.wait { $0.lines[28].contains("search.request") && $0.cells[4][40].text == "▼" })
    let tabs = try #require(viewer.lines.firstIndex { $0.contains("1 Subscriptions") })
    let start = try #require(viewer.screen.cells[tabs].firstIndex { $0.text == "4" })
    click(viewer, column: start + 2, row: tabs)
    #expect(viewer.wait(for: "error[retain-cycle]"))
  }

  @Test("The wheel zooms, and dragging selects a time range")
  func dragsAndTurns() throws {
    let viewer = try ViewerTerminal(["--mouse", BundledLog.leak], showsLog: true)
    let axis = viewer.lines[3]
    viewer.send("\u{1B}[<0;41;7M\u{1B}[<32;50;7M\u{1B}[<32;61;7M\u{1B}[<0;61;7m")
    #expect(viewer.wait { $0.lines[28].contains("selected; f fits it") })
    viewer.send("\u{1B}[<64;61;7M")
    #expect(viewer.wait { $0.lines[3] != axis })
  }

  @Test("Clicks are ignored while the mouse is off")
  func ignores() throws {
    let viewer = try ViewerTerminal([BundledLog.leak], showsLog: true)
    let text = viewer.screen.text
    click(viewer, column: 40, row: 5)
    viewer.send("/")
    #expect(viewer.wait { $0.lines[28].hasPrefix("/F1 lists all terms") })
    viewer.send("\u{1B}")
    #expect(viewer.wait { $0.text == text })
  }

  /// Presses and releases the first button. Rows and columns count from 0, but those of reports
  /// from 1.
  private func click(_ viewer: ViewerTerminal, column: Int, row: Int) {
    viewer.send("\u{1B}[<0;\(column + 1);\(row + 1)M\u{1B}[<0;\(column + 1);\(row + 1)m")
  }
}
