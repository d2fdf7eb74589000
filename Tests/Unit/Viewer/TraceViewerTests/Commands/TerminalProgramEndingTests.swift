import SystemLibrary
import TerminalTestSupport
import TestSupport
import Testing
import ViewerTestSupport

/// Tests that end the built program in several ways and check that it restores the terminal.
@Suite("The built program on a terminal: ending", .ownThread)
struct TerminalProgramEndingTests {
  @Test(
    "The exit code depends on the key that ends the program",
    arguments: [("q", 0), ("\u{3}", 130)])
  func keys(key: String, code: Int32) throws {
    let viewer = try ViewerTerminal([BundledLog.leak], showsLog: true)
    #expect(viewer.end(with: key) == .exited(code))
    viewer.expectRestored()
  }

  @Test("Control-C ends the program in every mode", arguments: ["/q", "?", "x", "5"])
  func interruptsAnywhere(keys: String) throws {
    let viewer = try ViewerTerminal([BundledLog.leak], showsLog: true)
    let text = viewer.screen.text
    viewer.send(keys)
    #expect(viewer.wait { $0.text != text })
    #expect(viewer.end(with: "\u{3}") == .exited(130))
    viewer.expectRestored()
  }

  @Test("A signal ends the program", arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
  func signals(number: Int32) throws {
    let viewer = try ViewerTerminal([BundledLog.leak, "--mouse"], showsLog: true)
    viewer.terminal.signal(number)
    #expect(viewer.terminal.waitForExit() == .killed(by: number))
    viewer.expectRestored()
  }

  @Test("A signal ends the program during a replay")
  func signalWhileDrawing() throws {
    let viewer = try ViewerTerminal(["replay", "--speed=1/8x", BundledLog.leak])
    #expect(viewer.wait(for: "▶ 1/8x"))
    viewer.terminal.signal(SIGTERM)
    #expect(viewer.terminal.waitForExit() == .killed(by: SIGTERM))
    viewer.expectRestored()
  }

  @Test(
    "A crash ends the program with its signal",
    arguments: [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE])
  func crashes(number: Int32) throws {
    let viewer = try ViewerTerminal([BundledLog.leak, "--mouse"], showsLog: true)
    viewer.terminal.signal(number)
    #expect(viewer.terminal.waitForExit() == .killed(by: number))
    viewer.expectRestored()
  }

  @Test(
    "A crash ends the program after Swift's crash report",
    arguments: [SIGSEGV, SIGTRAP, SIGABRT])
  func crashReport(number: Int32) throws {
    let viewer = try ViewerTerminal(
      [BundledLog.leak], environment: ["SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no"],
      showsLog: true)
    viewer.terminal.signal(number)
    let end = viewer.terminal.waitForExit()
    #expect(end == .killed(by: number) || isSanitized, "\(end)")
    #expect(viewer.terminal.attributes == viewer.before)
    #expect(!viewer.screen.isAlternate)
    #expect(viewer.screen.modes == [7, 25])
  }

  @Test(
    "Closing the terminal ends the program, even if it ignores SIGHUP",
    arguments: [false, true])
  func closing(ignoresHangup: Bool) throws {
    var pair: TerminalPair? = try TerminalPair(columns: 100, rows: 30)
    let script = (ignoresHangup ? "trap '' HUP; " : "") + ViewerTerminal.Start.alone
    let (process, over) = try TerminalProcess.start(
      "/bin/sh", ["-c", script, BuiltProgram.path, BundledLog.leak],
      [
        "TERM": "xterm", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin",
        "SWIFT_BACKTRACE": "enable=no",
      ],
      terminal: try #require(pair).path)
    defer { close(over) }
    let shown = pair?.read { String(decoding: $0, as: UTF8.self).contains("83 records") } ?? []
    #expect(shown.starts(with: Array("\u{1B}[?1049h".utf8)))
    pair = nil
    var request = pollfd(fd: over, events: Int16(POLLIN), revents: 0)
    let hasEnded = poll(&request, 1, TerminalPair.maxMilliseconds) == 1
    #expect(hasEnded)
    if !hasEnded { kill(process, SIGKILL) }
    let ending = Spawner.reap(process)
    // Nobody sees the exit code. It only matters that the process doesn't keep running.
    if case .exited = ending {
      #expect(ignoresHangup)
    } else {
      #expect(ending == .killed(by: SIGHUP) && !ignoresHangup)
    }
  }

  @Test("A log that can't be opened is reported on the main screen with an exit code")
  func noLog() throws {
    let viewer = try ViewerTerminal(["nosuch.jsonl"])
    #expect(viewer.terminal.waitForExit() == .exited(66))
    #expect(viewer.terminal.attributes == viewer.before)
    #expect(viewer.lines[2].hasPrefix("Error: nosuch.jsonl"))
    #expect(!String(decoding: viewer.terminal.bytes, as: UTF8.self).contains("1049h"))
  }
}
