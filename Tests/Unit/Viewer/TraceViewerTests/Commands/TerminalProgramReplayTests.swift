import TerminalTestSupport
import TestSupport
import Testing
import ViewerTestSupport

/// Tests of the built program that replay a log.
@Suite("The built program on a terminal: replaying", .ownThread)
struct TerminalProgramReplayTests {
  @Test("A replay starts automatically with the requested speed")
  func interactive() throws {
    let viewer = try ViewerTerminal(["replay", "--speed=1/4x", BundledLog.leak])
    #expect(viewer.wait { $0.isAlternate && $0.lines[0].contains("▶ 1/4x") })
    #expect(viewer.wait { ($0.cells[4].firstIndex { $0.text == "▼" } ?? 0) > 30 })
    viewer.send(" ")
    #expect(viewer.wait { $0.lines[0].contains("‖ 1/4x") })
    viewer.send("n")
    #expect(viewer.wait { $0.lines[28].contains("search.") && $0.lines[28].contains("  next  ") })
    #expect(viewer.end(with: "q") == .exited(0))
    viewer.expectRestored()
  }

  @Test("A replay stops at the end of the log and reports the end")
  func ends() throws {
    let viewer = try ViewerTerminal(["replay", "--speed=64x", BundledLog.leak])
    #expect(viewer.wait { $0.lines[28] == "end of the log; Space plays it again" })
    #expect(viewer.lines[0].contains("‖ 64x"))
    #expect(viewer.terminal.isQuiet(milliseconds: 300))
  }

  @Test(
    "A plain replay prints events in time order, on a terminal or into a pipe",
    arguments: [["--plain", "--speed=64x"], ["--speed=max"], ["--speed=max", "--from=0"]],
    [false, true])
  func plain(options: [String], isPipe: Bool) throws {
    let viewer = try ViewerTerminal(
      ["replay"] + options + [BundledLog.leak],
      start: isPipe ? #""$0" "$@" | cat"# : ViewerTerminal.Start.alone,
      columns: 120, rows: 100)
    #expect(viewer.terminal.waitForExit() == .exited(0))
    let lines = viewer.lines.dropFirst(2).filter { !$0.isEmpty }
    let times = lines.compactMap { $0.split(separator: " ").first.flatMap { Double($0) } }
    // Every line is an event. Only the header and thread names of the log are missing.
    #expect(times.count == lines.count)
    #expect(times.count > 65)
    #expect(times == times.sorted())
    #expect(viewer.terminal.bytes.contains(0x1B) == !isPipe)
    #expect(!String(decoding: viewer.terminal.bytes, as: UTF8.self).contains("1049h"))
    #expect(viewer.terminal.attributes == viewer.before)
  }

  @Test("A fast replay prints only events that match the filters")
  func chooses() throws {
    let viewer = try ViewerTerminal(
      ["replay", "--speed=1000x", "--lane=search.request", "--from=2s", BundledLog.leak],
      columns: 120, rows: 100)
    #expect(viewer.terminal.waitForExit() == .exited(0))
    let lines = viewer.lines.dropFirst(2).filter { !$0.isEmpty }
    #expect(lines.count == 15)
    #expect(lines.allSatisfy { $0.contains("search.request #") })
    #expect(lines.allSatisfy { Double($0.split(separator: " ")[0]) ?? 0 >= 2 })
  }

  @Test("A replay into a pipe prints lines")
  func pipe() throws {
    let viewer = try ViewerTerminal(
      ["replay", "--speed=1000x", BundledLog.leak], start: #""$0" "$@" | cat"#, columns: 120,
      rows: 100)
    #expect(viewer.terminal.waitForExit() == .exited(0))
    #expect(viewer.lines.filter { $0.contains("search.request #") }.count == 20)
    #expect(!viewer.terminal.bytes.contains(0x1B))
  }
}
