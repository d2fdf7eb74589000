import SystemLibrary
import TerminalTestSupport
import TestSupport
import Testing
import ViewerTestSupport

@testable import ViewerConsole

/// Tests of the built program that use an editor, files and the clipboard.
@Suite("The built program on a terminal: editors, clipboard and files", .ownThread)
struct TerminalProgramPassingTests {
  /// An editor that records its arguments and whether it has a terminal, and waits for a line.
  private static let editor = """
    printf '%s\\n' "$@" >arguments
    test -t 0 && test -t 1 && test -t 2 && echo a terminal >>arguments
    echo 'in the editor'
    read line
    echo "$line" >>arguments
    """

  @Test("An editor gets the terminal, and the program redraws the screen later")
  func edits() throws {
    let directory = project()
    let viewer = try start(in: directory, editor: "/bin/sh \(directory.path)/editor")
    let text = viewer.screen.text
    viewer.send("o")
    #expect(viewer.wait(for: "in the editor"))
    viewer.expectRestored(["in the editor"])
    // The typed text is echoed, because the terminal has its original settings.
    viewer.send("typed\n")
    #expect(viewer.wait { $0.isAlternate && $0.text == text })
    #expect(viewer.terminal.attributes.isRaw)
    let arguments = "+12\n\(directory.path)/App/Model.swift\na terminal\ntyped\n"
    #expect(directory.text("arguments") == arguments)
    #expect(viewer.end(with: "q") == .exited(0))
    viewer.expectRestored(["in the editor", "typed"])
  }

  @Test("Control-C in an editor reaches only the editor")
  func interruptedEditor() throws {
    let directory = project()
    let viewer = try start(in: directory, editor: "/bin/sh \(directory.path)/editor")
    let text = viewer.screen.text
    viewer.send("o")
    #expect(viewer.wait(for: "in the editor"))
    viewer.send("\u{3}")
    #expect(viewer.wait { $0.isAlternate && $0.text == text })
    #expect(viewer.end(with: "q") == .exited(0))
    #expect(viewer.terminal.attributes == viewer.before)
  }

  @Test("A missing editor is reported")
  func noEditor() throws {
    let directory = project()
    let viewer = try start(in: directory, editor: "/nonexistent/editor")
    viewer.send("o")
    #expect(
      viewer.wait { $0.isAlternate && $0.text.contains("editor '/nonexistent/editor' not found") }
    )
    #expect(viewer.terminal.attributes.isRaw)
    withExtendedLifetime(directory) {}
  }

  @Test("Copying puts the selected line on the terminal's clipboard")
  func copies() throws {
    let viewer = try ViewerTerminal([BundledLog.leak], showsLog: true)
    viewer.send("y")
    #expect(viewer.wait { !$0.clipboard.isEmpty && $0.lines[28].hasPrefix("copied: ") })
    let text =
      "#1 search.results  active for 5.16 s  5 elements  search_sample/SearchScreen.swift:50"
    #expect(viewer.screen.clipboard == [Base64.text(Array(text.utf8))])
  }

  @Test("Exporting writes the selection like trace-viewer export")
  func exports() throws {
    let directory = TemporaryDirectory()
    let viewer = try ViewerTerminal([BundledLog.leak], showsLog: true)
    viewer.send("X")
    let title = "Export only search.results ×2 to: search.results.csv"
    #expect(viewer.wait { $0.lines[28].hasPrefix(title) })
    viewer.send("\u{15}\(directory.path)/lane.csv\r")
    #expect(viewer.wait(for: "2 subscriptions exported to"))
    let expected = try BuiltProgram.run(
      "export --to=csv --lane=search.results '\(BundledLog.leak)'")
    let written = try #require(directory.text("lane.csv"))
    #expect(written.split(whereSeparator: \.isNewline).count > 5)
    #expect(written + "0\n" == expected)
  }

  @Test("Exporting never overwrites the log and requires a known format")
  func refuses() throws {
    let directory = TemporaryDirectory(["a.csv": SampleLog.leak])
    let viewer = try ViewerTerminal([directory.path + "/a.csv"])
    #expect(viewer.wait(for: "settings"))
    viewer.send("x\u{15}\(directory.path)/a.csv\r")
    #expect(viewer.wait(for: "cannot overwrite the log itself"))
    #expect(directory.text("a.csv") == SampleLog.leak)
    viewer.send("x\u{15}a\r")
    #expect(viewer.wait(for: "End the name in .pftrace"))
  }

  /// Creates a folder with a log, its source and an editor.
  private func project() -> TemporaryDirectory {
    TemporaryDirectory([
      "log": SampleLog.leak, "App/Model.swift": "\n", "editor": Self.editor,
    ])
  }

  private func start(in directory: TemporaryDirectory, editor: String) throws -> ViewerTerminal {
    let viewer = try ViewerTerminal(
      ["log"], start: "cd \"$FOLDER\" && " + ViewerTerminal.Start.alone,
      environment: ["EDITOR": editor, "FOLDER": directory.path])
    try #require(viewer.wait { $0.text.contains("settings") && $0.text.contains("? help") })
    return viewer
  }
}
