import SystemLibrary
import TerminalTestSupport
import TestSupport
import Testing

/// Tests of the built program that follow a log while it is written.
@Suite("The built program on a terminal: following", .ownThread)
struct TerminalProgramFollowTests {
  private static let ms = 1_000_000

  @Test("Following waits for a file and shows what is written to it")
  func appears() throws {
    let directory = TemporaryDirectory()
    let viewer = try ViewerTerminal(["follow", directory.path + "/log"])
    #expect(viewer.wait(for: "waiting for the log"))
    let lines = [SampleLog.header, SampleLog.subscribe(1, "first", at: 100 * Self.ms)]
    directory.append(lines, to: "log")
    #expect(viewer.wait { $0.text.contains("first") && $0.lines[0].contains("live") })
    directory.append([SampleLog.next(1, "first", at: 200 * Self.ms, "a")], to: "log")
    #expect(viewer.wait { $0.lines[0].contains("3 records") })
    directory.append([SampleLog.subscribe(2, "second", at: 300 * Self.ms)], to: "log")
    #expect(viewer.wait { $0.text.contains("second") && $0.lines[0].contains("4 records") })
    directory.append([#"{"t":900000000,"event":"end","records":5,"lost":0}"#], to: "log")
    #expect(viewer.wait { $0.lines[0].contains("ended") })
    #expect(viewer.end(with: "q") == .exited(0))
    viewer.expectRestored()
  }

  @Test("A followed log is first shown with the lanes of the command line")
  func lanes() throws {
    let directory = TemporaryDirectory()
    directory.append(
      [
        SampleLog.header, SampleLog.subscribe(1, "first", at: 100 * Self.ms),
        SampleLog.subscribe(2, "second", at: 200 * Self.ms),
      ], to: "log")
    let viewer = try ViewerTerminal(["follow", "--lane=sec*", directory.path + "/log"])
    #expect(
      viewer.wait { $0.text.contains("second") && $0.lines[0].contains("filtered: lane:sec*") })
    #expect(!viewer.screen.text.contains("first"))
    viewer.send("t")
    #expect(viewer.wait(for: "first"))
    #expect(viewer.end(with: "q") == .exited(0))
    viewer.expectRestored()
  }

  @Test("A recording lists what is made while a followed log grows and stays active")
  func recording() throws {
    let directory = TemporaryDirectory()
    directory.append(
      [SampleLog.header, SampleLog.subscribe(1, "app", at: 100 * Self.ms, line: 3)], to: "log")
    let viewer = try ViewerTerminal(["follow", directory.path + "/log"])
    #expect(viewer.wait { $0.text.contains("app") && $0.lines[0].contains("live") })
    viewer.send("r")
    #expect(viewer.wait { $0.lines[0].contains("recording 0 ns") })
    directory.append(
      [
        SampleLog.subscribe(2, "row", at: 200 * Self.ms, line: 8),
        SampleLog.subscribe(3, "row", at: 300 * Self.ms, line: 8),
        SampleLog.subscribe(4, "query", at: 350 * Self.ms, line: 9),
        SampleLog.end("disposed", 4, "query", at: 400 * Self.ms),
      ], to: "log")
    #expect(viewer.wait { $0.lines[0].contains("recording 300 ms") })
    viewer.send("r")
    #expect(viewer.wait(for: "2              2  row  App/Model.swift:8"))
    #expect(!viewer.screen.text.contains("1  app  App/Model.swift:3"))
    // The list is updated while the log grows.
    directory.append([SampleLog.end("disposed", 3, "row", at: 500 * Self.ms)], to: "log")
    #expect(viewer.wait(for: "2              1  row  App/Model.swift:8"))
    #expect(viewer.end(with: "q") == .exited(0))
    viewer.expectRestored()
  }

  @Test("Following waits for the rest of an incomplete line")
  func halfLine() throws {
    let directory = TemporaryDirectory()
    let line = SampleLog.subscribe(2, "second", at: 300 * Self.ms)
    directory.append(
      [SampleLog.header, SampleLog.subscribe(1, "first", at: 100 * Self.ms)], to: "log")
    let viewer = try ViewerTerminal(["follow", directory.path + "/log"])
    #expect(viewer.wait(for: "first"))
    directory.append(String(line.prefix(60)), to: "log")
    // This is usually enough time to read the incomplete line.
    _ = viewer.terminal.isQuiet(milliseconds: 300)
    #expect(!viewer.screen.text.contains("second"))
    directory.append(String(line.dropFirst(60)) + "\n", to: "log")
    #expect(viewer.wait { $0.text.contains("second") && $0.lines[0].contains("3 records") })
    #expect(!viewer.screen.text.contains("damage"))
  }

  @Test("Following restarts when the file is truncated and written again")
  func truncated() throws {
    let directory = TemporaryDirectory(["log": SampleLog.leak])
    let viewer = try ViewerTerminal(["follow", directory.path + "/log"])
    #expect(viewer.wait { $0.text.contains("settings") && $0.lines[0].contains("ended") })
    directory.write("", to: "log")
    #expect(
      viewer.wait { $0.lines[0].contains("waiting for the log") && !$0.text.contains("settings") })
    directory.append([SampleLog.header, SampleLog.subscribe(1, "newcomer", at: 1)], to: "log")
    #expect(viewer.wait { $0.text.contains("newcomer") && !$0.text.contains("settings") })
    directory.append([SampleLog.next(1, "newcomer", at: 2, "a")], to: "log")
    #expect(viewer.wait { $0.lines[0].contains("3 records") })
  }

  @Test("Following restarts when another file replaces the log")
  func replaced() throws {
    let directory = TemporaryDirectory(["log": SampleLog.died])
    let viewer = try ViewerTerminal(["follow", directory.path + "/log"])
    #expect(viewer.wait { $0.text.contains("settings") })
    let other = SampleLog.make([SampleLog.subscribe(1, "newcomer", at: 1)])
    directory.write(SampleLog.ofAnother(other, process: 77), to: "new")
    rename(directory.path + "/new", directory.path + "/log")
    #expect(viewer.wait { $0.text.contains("newcomer") && $0.lines[0].contains("(77)") })
    #expect(!viewer.screen.text.contains("settings"))
    #expect(viewer.end(with: "q") == .exited(0))
  }

  @Test("Following shows that the file is gone and continues with the next one")
  func gone() throws {
    let directory = TemporaryDirectory(["log": SampleLog.died])
    let viewer = try ViewerTerminal(["follow", directory.path + "/log"])
    #expect(viewer.wait { $0.text.contains("settings") && $0.lines[0].contains("live") })
    unlink(directory.path + "/log")
    #expect(viewer.wait { $0.lines[0].contains("the file is gone") })
    #expect(!viewer.screen.lines[0].contains("live"))
    directory.write(SampleLog.ofAnother(SampleLog.died, process: 77), to: "log")
    #expect(viewer.wait { $0.lines[0].contains("(77)") && $0.lines[0].contains("live") })
  }

  @Test("A log that was truncated after reading is marked as changed and can't be exported")
  func cut() throws {
    // The path of the folder is longer than a line.
    let folder = Array(repeating: "folder", count: 30).joined(separator: "/")
    let directory = TemporaryDirectory([folder + "/log": SampleLog.leak])
    let viewer = try ViewerTerminal(["\(directory.path)/\(folder)/log"])
    #expect(viewer.wait { $0.text.contains("settings") })
    directory.write(SampleLog.header + "\n", to: folder + "/log")
    #expect(viewer.wait { $0.lines[0].contains("changed on disk") })
    viewer.send("x\u{15}\(directory.path)/a.csv\r")
    #expect(viewer.wait(for: "The file was cut short or rewritten after it was read"))
    #expect(directory.text("a.csv") == nil)
  }

  @Test("A frozen view counts new records and shows them when it is live again")
  func freezes() throws {
    let directory = TemporaryDirectory(["log": SampleLog.died])
    let viewer = try ViewerTerminal(["follow", directory.path + "/log"])
    #expect(viewer.wait { $0.text.contains("settings") && $0.lines[0].contains("live") })
    viewer.send(" ")
    #expect(viewer.wait { $0.lines[0].contains("frozen") })
    directory.append([SampleLog.subscribe(9, "late", at: 950 * Self.ms)], to: "log")
    #expect(viewer.wait { $0.lines[0].contains("frozen, 1 more") })
    #expect(!viewer.screen.text.contains("late"))
    viewer.send(" ")
    #expect(viewer.wait { $0.text.contains("late") && $0.lines[0].contains("live") })
  }

  @Test("Following shows the log of a running program until its end")
  func recorder() throws {
    let directory = TemporaryDirectory()
    let path = directory.path + "/log"
    let viewer = try ViewerTerminal(["follow", path])
    #expect(viewer.wait(for: "waiting for the log"))
    let writer = try PseudoTerminal(
      Self.writer, ["write", "20000"], environment: ["REACTIVE_TRACE": path])
    #expect(writer.waitForExit() == .exited(0))
    #expect(
      viewer.wait { $0.lines[0].contains("ended") && $0.lines[0].contains("TraceWriterHelper") })
    #expect(viewer.wait { $0.text.contains("20,000 elements") })
  }

  @Test("Following shows the log of a running program even after it is killed")
  func killedRecorder() throws {
    let directory = TemporaryDirectory()
    let path = directory.path + "/log"
    let viewer = try ViewerTerminal(["follow", path])
    #expect(viewer.wait(for: "waiting for the log"))
    // Nobody reads the writer's output, so it stops eventually.
    let writer = try PseudoTerminal(
      Self.writer, ["busy", "2"], environment: ["REACTIVE_TRACE": path])
    #expect(viewer.wait { $0.lines[0].contains("live") && Self.records($0) > 1000 })
    let records = Self.records(viewer.screen)
    #expect(viewer.wait { Self.records($0) > records })
    writer.signal(SIGKILL)
    #expect(writer.waitForExit() == .killed(by: SIGKILL))
    // Keys still work.
    viewer.send("?")
    #expect(viewer.wait(for: "KEYS"))
    #expect(viewer.end(with: "?q") == .exited(0))
    viewer.expectRestored()
  }

  /// `TraceWriterHelper`, which is next to the program.
  private static let writer = BuiltProgram.path(of: "TraceWriterHelper")

  /// Returns the number of records in the first line, or 0 if the line has no such number.
  private static func records(_ screen: EmulatedScreen) -> Int {
    let words = screen.lines[0].split(separator: " ")
    guard let place = words.firstIndex(of: "records"), place > 0 else { return 0 }
    return Int(words[place - 1].filter(\.isNumber)) ?? 0
  }
}

extension TemporaryDirectory {
  /// Appends lines to a file, like a recorder. Creates the file if necessary.
  func append(_ lines: [String], to name: String) {
    append(lines.map { $0 + "\n" }.joined(), to: name)
  }

  func append(_ text: String, to name: String) {
    guard let file = fopen(path + "/" + name, "a") else { return }
    fputs(text, file)
    fclose(file)
  }
}
