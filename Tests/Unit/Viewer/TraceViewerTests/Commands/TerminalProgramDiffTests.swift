import TerminalTestSupport
import TestSupport
import Testing
import ViewerTestSupport

/// Tests of the built program that compare two logs.
@Suite("The built program on a terminal: comparing", .ownThread)
struct TerminalProgramDiffTests {
  private func start(
    _ old: String, _ new: String, _ more: String..., script: String = ViewerTerminal.Start.alone,
    environment: [String: String] = [:]
  ) throws -> ViewerTerminal {
    // Comparisons save no view, and the program would refuse the option.
    try ViewerTerminal(
      ["diff"] + more + [old, new], start: script, environment: environment, savesView: true)
  }

  @Test("A comparison opens a view, and the exit code is that of the comparison")
  func view() throws {
    let (old, new) = (TemporaryFile(SampleLog.clean), TemporaryFile(SampleLog.leak))
    for (logs, code) in [((old, new), 1), ((new, old), 0), ((old, old), 0)] {
      let viewer = try start(logs.0.path, logs.1.path)
      #expect(viewer.wait { $0.isAlternate && $0.text.contains("? help") })
      #expect(viewer.lines[0].hasPrefix("A "))
      #expect(viewer.lines[1].hasPrefix("B "))
      viewer.send("j\r")
      #expect(viewer.wait { $0.text.contains("Enter lanes") })
      #expect(viewer.end(with: "q") == .exited(Int32(code)))
      viewer.expectRestored()
    }
  }

  @Test("The view adapts to the size of the terminal and ends with ^C")
  func resized() throws {
    let (old, new) = (TemporaryFile(SampleLog.clean), TemporaryFile(SampleLog.leak))
    let viewer = try start(old.path, new.path)
    #expect(viewer.wait { $0.text.contains("1 new error") && $0.text.contains("? help") })
    viewer.terminal.resize(columns: 60, rows: 15)
    #expect(viewer.wait { $0.rows == 15 && $0.lines[14].hasSuffix("? help") })
    viewer.terminal.resize(columns: 19, rows: 4)
    #expect(viewer.wait { $0.lines[0] == "needs 20x5, is 19x4" })
    viewer.terminal.resize(columns: 100, rows: 30)
    #expect(viewer.wait { $0.rows == 30 && $0.lines[29].hasSuffix("? help") })
    #expect(viewer.end(with: "\u{3}") == .exited(130))
    viewer.expectRestored()
  }

  @Test("V opens a lane in the full view of each log, and q goes back to the comparison")
  func sides() throws {
    let (old, new) = (TemporaryFile(SampleLog.clean), TemporaryFile(SampleLog.leak))
    let viewer = try start(old.path, new.path)
    #expect(viewer.wait { $0.text.contains("V full view") })
    viewer.send("/state:failed")
    #expect(viewer.wait { $0.text.contains("/state:failed  1 hit") })
    viewer.send("\rV")
    #expect(viewer.wait { $0.text.contains("this is B; V shows the lane in A") })
    #expect(viewer.wait { $0.text.contains("Timeout()") })
    viewer.send("V")
    #expect(viewer.wait { $0.text.contains("this is A; V shows the lane in B") })
    viewer.send("q")
    #expect(viewer.wait { $0.text.contains("Enter detail") })
    #expect(viewer.lines[0].hasPrefix("A "))
    #expect(viewer.end(with: "q") == .exited(1))
    viewer.expectRestored()
  }

  @Test("Escape at the top neither quits nor changes anything")
  func escape() throws {
    let log = TemporaryFile(SampleLog.leak)
    let viewer = try start(log.path, log.path)
    #expect(viewer.wait { $0.text.contains("? help") })
    viewer.send("\u{1B}")
    #expect(viewer.wait { $0.text.contains("nothing to go back from; q quits") })
    #expect(viewer.end(with: "q") == .exited(0))
  }

  @Test(
    "A format, a pipe on either side and a terminal without a cursor get text",
    arguments: [
      ("--format=text", ViewerTerminal.Start.alone, [:]),
      ("--color=never", #""$0" "$@" | cat"#, [:]),
      ("--color=never", #"true | "$0" "$@""#, [:]),
      ("--color=never", ViewerTerminal.Start.alone, ["TERM": "dumb"]),
    ] as [(String, String, [String: String])])
  func text(option: String, script: String, environment: [String: String]) throws {
    let (old, new) = (TemporaryFile(SampleLog.clean), TemporaryFile(SampleLog.leak))
    let viewer = try start(old.path, new.path, option, script: script, environment: environment)
    _ = viewer.terminal.waitForExit()
    #expect(viewer.terminal.screen.text.contains("1 new error"))
    #expect(viewer.terminal.screen.text.contains("STILL ACTIVE"))
    #expect(!String(decoding: viewer.terminal.bytes, as: UTF8.self).contains("1049h"))
  }

  @Test("A view without colors has no color codes")
  func noColor() throws {
    let (old, new) = (TemporaryFile(SampleLog.clean), TemporaryFile(SampleLog.leak))
    let viewer = try start(old.path, new.path, environment: ["NO_COLOR": "1"])
    #expect(viewer.wait { $0.text.contains("1 new error") && $0.text.contains("? help") })
    let text = String(decoding: viewer.terminal.bytes, as: UTF8.self)
    let codes = text.matches(of: /\u{1B}\[([0-9;]*)m/).flatMap { $0.1.split(separator: ";") }
    #expect(codes.allSatisfy { ["0", "1", "2", "4", "7"].contains($0) }, "\(Set(codes))")
    #expect(viewer.end(with: "q") == .exited(1))
  }

  @Test("Damage and missing files are reported before the view or instead of it")
  func failures() throws {
    let clean = TemporaryFile(SampleLog.clean)
    let missing = try start(clean.path, "/nonexistent/b.jsonl")
    #expect(missing.terminal.waitForExit() == .exited(66))
    #expect(missing.lines.contains { $0.contains("There is no such file") })
    let damaged = TemporaryFile(SampleLog.clean + "nonsense\n")
    let viewer = try start(clean.path, damaged.path, "--strict")
    #expect(viewer.wait { $0.isAlternate && $0.text.contains("? help") })
    #expect(viewer.end(with: "q") == .exited(65))
  }
}
