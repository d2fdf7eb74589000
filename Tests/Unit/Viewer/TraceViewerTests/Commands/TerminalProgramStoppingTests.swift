import SystemLibrary
import TerminalTestSupport
import TestSupport
import Testing
import ViewerTestSupport

@testable import TerminalUI

/// Tests that stop and continue the built program as a job of a shell.
@Suite("The built program on a terminal: stopping", .ownThread)
struct TerminalProgramStoppingTests {
  /// A way to stop the program.
  enum Stop: CaseIterable {
    case key, signal
  }

  @Test(
    "Stopping restores the terminal, and continuing takes it over again",
    arguments: Stop.allCases)
  func suspends(by stop: Stop) throws {
    let viewer = try ViewerTerminal(
      [BundledLog.leak, "--mouse"], start: ViewerTerminal.Start.asJob, showsLog: true)
    let text = viewer.screen.text
    let modes = viewer.screen.modes
    let job = try #require(viewer.job())
    switch stop {
    case .key: viewer.send("\u{1A}")
    case .signal: kill(job, SIGTSTP)
    }
    let stopped = "back \(128 + SIGTSTP)"
    #expect(viewer.wait { $0.lines[3] == stopped && $0.cursor.column == 0 })
    viewer.expectRestored(["job \(job)", stopped])
    viewer.send("\n")
    #expect(viewer.wait { $0.isAlternate && $0.text == text })
    #expect(viewer.screen.modes == modes)
    #expect(viewer.terminal.attributes.isRaw)
    #expect(viewer.end(with: "q") == .exited(0))
    viewer.expectRestored(["job \(job)", stopped, "", "over 0"])
  }

  @Test("The program can be stopped repeatedly and adapts to a new window size")
  func resizes() throws {
    let viewer = try ViewerTerminal(
      [BundledLog.leak], start: ViewerTerminal.Start.asJob, showsLog: true)
    viewer.send("\u{1A}")
    #expect(viewer.wait { !$0.isAlternate && $0.text.contains("back ") })
    viewer.terminal.resize(columns: 70, rows: 20)
    viewer.send("\n")
    #expect(viewer.wait { $0.isAlternate && $0.lines[19].hasSuffix("? help") })
    #expect(viewer.lines.allSatisfy { DisplayWidth.columns(of: $0) <= 70 })
    viewer.send("\u{1A}")
    #expect(viewer.wait { !$0.isAlternate && $0.lines.filter { $0.hasPrefix("back ") }.count == 2 })
    #expect(viewer.terminal.attributes == viewer.before)
    viewer.send("\n")
    #expect(viewer.wait { $0.isAlternate && $0.lines[19].hasSuffix("? help") })
    #expect(viewer.end(with: "q") == .exited(0))
    #expect(viewer.terminal.attributes == viewer.before)
    #expect(viewer.screen.modes == [7, 25])
  }

  @Test("The whole screen is redrawn after SIGSTOP")
  func stopsHard() throws {
    let viewer = try ViewerTerminal(
      [BundledLog.leak], start: ViewerTerminal.Start.asJob, showsLog: true)
    let text = viewer.screen.text
    let job = try #require(viewer.job())
    kill(job, SIGSTOP)
    #expect(viewer.wait(for: "back \(128 + SIGSTOP)"))
    viewer.send("\n")
    #expect(viewer.wait { $0.text == text })
    #expect(viewer.terminal.attributes.isRaw)
    #expect(viewer.end(with: "q") == .exited(0))
    #expect(viewer.terminal.attributes == viewer.before)
    #expect(viewer.screen.modes == [7, 25])
    #expect(viewer.lines.contains("over 0"))
  }

  @Test("A signal received while stopped ends the program when it continues")
  func diesStopped() throws {
    let viewer = try ViewerTerminal(
      [BundledLog.leak], start: ViewerTerminal.Start.asJob, showsLog: true)
    let job = try #require(viewer.job())
    viewer.send("\u{1A}")
    #expect(viewer.wait(for: "back \(128 + SIGTSTP)"))
    kill(job, SIGTERM)
    viewer.send("\n")
    #expect(viewer.wait { $0.text.contains("over \(128 + SIGTERM)") })
    #expect(viewer.terminal.attributes == viewer.before)
    #expect(viewer.screen.modes == [7, 25])
  }
}
