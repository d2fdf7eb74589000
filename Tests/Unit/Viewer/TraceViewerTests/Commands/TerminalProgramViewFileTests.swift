import SystemLibrary
import TerminalTestSupport
import TestSupport
import Testing
import ViewerTestSupport

@testable import TraceReports
@testable import ViewerConsole

/// Tests of the built program that save what the user arranged and noted, and read it again.
@Suite("The built program on a terminal: saved views", .ownThread)
struct TerminalProgramViewFileTests {
  private func quit(_ viewer: ViewerTerminal) {
    #expect(viewer.end(with: "q") == .exited(0))
  }

  private func files(_ directory: TemporaryDirectory) -> [String] {
    directory.names.sorted()
  }

  @Test("Looking at a log leaves no file, and a note does, which is shown again")
  func notes() throws {
    let directory = TemporaryDirectory(["a.jsonl": SampleLog.leak])
    let path = directory.path + "/a.jsonl"
    let first = try ViewerTerminal([path], savesView: true)
    #expect(first.wait(for: "4 subscriptions"))
    first.send("jj")
    quit(first)
    #expect(files(directory) == ["a.jsonl"])

    let second = try ViewerTerminal([path], savesView: true)
    #expect(second.wait(for: "4 subscriptions"))
    second.send(":300ms\rchere it hangs\r")
    #expect(second.wait(for: "note at 300 ms"))
    quit(second)
    #expect(files(directory) == ["a.jsonl", "a.jsonl.view.json"])
    #expect(directory.text("a.jsonl.view.json")?.contains("\"here it hangs\"") == true)

    let third = try ViewerTerminal([path], savesView: true)
    #expect(third.wait(for: "here it hangs"))
    quit(third)
    let fourth = try ViewerTerminal([path])
    #expect(fourth.wait(for: "4 subscriptions"))
    #expect(!fourth.screen.text.contains("here it hangs"))
    quit(fourth)
  }

  @Test("A damaged file is reported and kept, and a note is printed instead")
  func damaged() throws {
    let directory = TemporaryDirectory([
      "a.jsonl": SampleLog.leak, "a.jsonl.view.json": "{\"mine\": 1}",
    ])
    let viewer = try ViewerTerminal([directory.path + "/a.jsonl"], columns: 200, savesView: true)
    #expect(viewer.wait(for: "the saved view can't be used: "))
    #expect(viewer.wait(for: "4 subscriptions"))
    viewer.send("cimportant\r")
    #expect(viewer.wait(for: "not saved: "))
    quit(viewer)
    #expect(viewer.screen.text.contains("a.jsonl.view.json: The view isn't saved. "))
    #expect(viewer.screen.text.contains("The note at 0 ns isn't saved: important"))
    #expect(directory.text("a.jsonl.view.json") == "{\"mine\": 1}")
  }

  @Test("A view that can't be written is reported immediately and after the program has quit")
  func notWritable() throws {
    let directory = TemporaryDirectory(["a.jsonl": SampleLog.leak])
    let viewer = try ViewerTerminal([directory.path + "/a.jsonl"], columns: 200, savesView: true)
    #expect(viewer.wait(for: "4 subscriptions"))
    // A directory of that name can't be replaced, even by the superuser.
    mkdir(directory.path + "/a.jsonl.view.json", 0o755)
    viewer.send("cx\r")
    #expect(viewer.wait(for: "not saved: The file cannot be read: Is a directory."))
    quit(viewer)
    #expect(viewer.screen.text.contains("The note at 0 ns isn't saved: x"))
    #expect(files(directory) == ["a.jsonl", "a.jsonl.view.json"])
  }

  @Test("A note is in the file before the viewer ends, and the rest if a signal ends it")
  func signals() throws {
    let directory = TemporaryDirectory(["a.jsonl": SampleLog.leak])
    let viewer = try ViewerTerminal([directory.path + "/a.jsonl"], savesView: true)
    #expect(viewer.wait(for: "4 subscriptions"))
    viewer.send("cx\r")
    #expect(viewer.wait(for: "note at 0"))
    viewer.send("S")
    #expect(viewer.wait(for: "sorted by lane"))
    // The note was sent to the worker first, and it is written before the rest.
    #expect(directory.text("a.jsonl.view.json")?.contains("\"order\"") != true)
    kill(viewer.process, SIGTERM)
    #expect(viewer.terminal.waitForExit() == .killed(by: SIGTERM))
    let text = try #require(directory.text("a.jsonl.view.json"))
    #expect(text.contains("\"x\"") && text.contains("\"order\": \"lane\""))
  }

  @Test("The notes of an earlier log at the same path move to another file")
  func otherLog() throws {
    let directory = TemporaryDirectory(["a.jsonl": SampleLog.leak])
    let path = directory.path + "/a.jsonl"
    var view = SavedView(trace: "earlier")
    view.notes = [.init(time: 1, text: "old")]
    #expect(ViewFile(logs: [path])?.write(view) == .done)
    let viewer = try ViewerTerminal([path], columns: 200, savesView: true)
    #expect(viewer.wait(for: "the saved view is about another log and isn't used"))
    viewer.send("cnew\r")
    #expect(viewer.wait(for: "note at 0"))
    quit(viewer)
    #expect(viewer.screen.text.contains("The notes of another log are now in \(path).1.view.json."))
    #expect(directory.text("a.jsonl.1.view.json")?.contains("\"old\"") == true)
    #expect(directory.text("a.jsonl.view.json")?.contains("\"new\"") == true)
  }
}
