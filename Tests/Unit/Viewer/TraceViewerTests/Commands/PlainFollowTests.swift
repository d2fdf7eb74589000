import SystemLibrary
import TerminalTestSupport
import TestSupport
import Testing

/// Tests of the built program that follow a log into a pipe. A shell has a terminal, which shows
/// what comes out of the pipe, and the messages.
@Suite("The built program following a log into a pipe", .ownThread)
struct PlainFollowTests {
  private static let ms = 1_000_000
  private let directory = TemporaryDirectory()
  private var log: String { directory.path + "/log" }

  /// Runs `trace-viewer follow log` with the log in the current folder.
  private func follow(_ after: String = "| cat", before: String = "") throws -> PseudoTerminal {
    try PseudoTerminal(
      "/bin/sh",
      ["-c", "cd '\(directory.path)'; \(before)'\(BuiltProgram.path)' follow log \(after)"],
      columns: 120, rows: 40)
  }

  @Test("Each record is printed when it is written, and the findings at the end of the log")
  func growing() throws {
    let viewer = try follow()
    #expect(viewer.wait(for: "Note: log: There is no such file yet. Waiting for it."))
    directory.append(
      [SampleLog.header, SampleLog.subscribe(1, "first", at: 100 * Self.ms)], to: "log")
    #expect(viewer.wait(for: "0.100000  first #1"))
    directory.append([SampleLog.next(1, "first", at: 200 * Self.ms, "apple")], to: "log")
    #expect(viewer.wait(for: "apple"))
    let half = SampleLog.next(1, "first", at: 300 * Self.ms, "pear")
    directory.append(String(half.prefix(30)), to: "log")
    directory.append(String(half.dropFirst(30)) + "\n", to: "log")
    #expect(viewer.wait(for: "pear"))
    #expect(!viewer.screen.text.contains("FINDINGS"))
    directory.append([#"{"t":900000000,"event":"end","records":4,"lost":0}"#], to: "log")
    #expect(viewer.wait(for: "FINDINGS  1 finding: 1 undisposed subscription"))
    let events = viewer.screen.lines.filter { $0.contains("first #1  ") }
    #expect(events.count == 3)
    // Control-C ends the program and `cat`.
    viewer.send("\u{3}")
    #expect(viewer.waitForExit() == .killed(by: SIGINT))
  }

  @Test("The lines of a log that was there before are the lines of a replay")
  func existing() throws {
    directory.write(SampleLog.leak, to: "log")
    let replay = try BuiltProgram.run("replay --speed=max '\(log)'", before: "LC_ALL=C.UTF-8 ")
    let events = replay.split(separator: "\n").dropLast()
    let text = try BuiltProgram.run(
      "follow '\(log)' | head -n \(events.count)", before: "LC_ALL=C.UTF-8 ")
    #expect(Array(text.split(separator: "\n").dropLast()) == Array(events))
  }

  @Test("Only the events of chosen lanes are printed, also of lanes that begin later")
  func lanes() throws {
    directory.append([SampleLog.header, SampleLog.subscribe(1, "other", at: 1)], to: "log")
    let viewer = try follow("--lane 'fruit.*' | cat")
    directory.append(
      [
        SampleLog.subscribe(2, "fruit.basket", at: 2 * Self.ms),
        SampleLog.next(1, "other", at: 3 * Self.ms, "stone"),
        SampleLog.next(2, "fruit.basket", at: 4 * Self.ms, "apple"),
      ], to: "log")
    #expect(viewer.wait(for: "apple"))
    #expect(viewer.screen.text.contains("fruit.basket #2"))
    #expect(!viewer.screen.text.contains("other"))
    viewer.send("\u{3}")
    #expect(viewer.waitForExit() == .killed(by: SIGINT))
  }

  @Test("Following continues when another file takes the place of the log, and reports that")
  func replaced() throws {
    directory.write(SampleLog.leak, to: "log")
    let viewer = try follow()
    #expect(viewer.wait(for: "FINDINGS"))
    let other = SampleLog.make([SampleLog.subscribe(1, "newcomer", at: 1)])
    directory.write(SampleLog.ofAnother(other, process: 77), to: "new")
    rename(directory.path + "/new", log)
    #expect(viewer.wait(for: "Note: log: The file was replaced or cut short."))
    #expect(viewer.wait(for: "newcomer #1"))
    #expect(viewer.wait { $0.text.split(separator: "FINDINGS").count == 3 })
  }

  @Test("Following continues when the log is truncated, and when it is deleted")
  func truncated() throws {
    directory.write(SampleLog.died, to: "log")
    let viewer = try follow()
    #expect(viewer.wait(for: "settings #"))
    directory.write("", to: "log")
    #expect(viewer.wait(for: "Note: log: The file was replaced or cut short."))
    directory.append([SampleLog.header, SampleLog.subscribe(1, "newcomer", at: 1)], to: "log")
    #expect(viewer.wait(for: "newcomer #1"))
    unlink(log)
    #expect(viewer.wait(for: "Note: log: The file is gone. Waiting for another one."))
    directory.write(SampleLog.ofAnother(SampleLog.died, process: 77), to: "log")
    #expect(viewer.wait { $0.text.split(separator: "settings #").count > 2 })
  }

  @Test("A file that isn't a log is named after a while, and a log may take its place")
  func notALog() throws {
    directory.write("nothing\n", to: "log")
    let viewer = try follow()
    #expect(viewer.wait(for: "Warning: log: This is not a trace log"))
    directory.write(SampleLog.leak, to: "new")
    rename(directory.path + "/new", log)
    #expect(viewer.wait(for: "FINDINGS"))
  }

  @Test("Following ends silently when nobody reads the pipe anymore")
  func unread() throws {
    directory.write(SampleLog.died, to: "log")
    let some = try BuiltProgram.run("follow '\(log)' 2>&1 | head -n 3", before: "LC_ALL=C ")
    #expect(some.split(separator: "\n").count == 4)
    #expect(some.hasSuffix("\n0\n"))
    // The log doesn't grow, so nothing is written when the reader ends.
    let viewer = try follow("| head -n 0; echo over")
    #expect(viewer.wait(for: "over"))
    #expect(viewer.waitForExit() == .exited(0))
    #expect(viewer.screen.lines[0] == "over")
  }

  @Test("A signal ends the program", arguments: [(SIGINT, 130), (SIGTERM, 143)])
  func signals(number: Int32, code: Int) throws {
    directory.write(SampleLog.died, to: "log")
    // The shell is interactive in this respect: it doesn't make the job ignore the signal.
    let viewer = try follow("> out & echo job $!; wait $!; echo code $?", before: "set -m; ")
    #expect(viewer.wait { $0.lines.contains { $0.hasPrefix("job ") } })
    let line = viewer.screen.lines.first { $0.hasPrefix("job ") }
    let process = try #require(line.flatMap { Int32($0.dropFirst(4)) })
    // The first lines show that the program has begun.
    let deadline = ContinuousClock.now + .seconds(hangLimit)
    while directory.text("out")?.contains("settings") != true, ContinuousClock.now < deadline {
      yieldThread()
    }
    kill(process, number)
    #expect(viewer.wait(for: "code \(code)"))
  }

  @Test("The events and findings of a running program are complete, from all its threads")
  func recorder() throws {
    // `sed` ends when the log has ended.
    let viewer = try follow("| sed '/FINDINGS/q' | grep -c ' next '; echo over")
    #expect(viewer.wait(for: "Waiting for it"))
    let writer = try ChildProcess(
      BuiltProgram.path(of: "TraceWriterHelper"), ["write", "20000"],
      environment: ["REACTIVE_TRACE": log])
    #expect(writer.finish().ending == .exited(0))
    #expect(viewer.wait(for: "over"))
    let replay = try BuiltProgram.run(
      "replay --speed=max '\(log)' | grep -c ' next '", before: "LC_ALL=C.UTF-8 ")
    let count = try #require(replay.split(separator: "\n").first)
    #expect(viewer.screen.lines.contains(String(count)))
    #expect(Int(count) ?? 0 >= 20000)
  }
}
