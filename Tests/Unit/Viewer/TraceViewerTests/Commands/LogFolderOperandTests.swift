import SystemLibrary
import TerminalTestSupport
import TestSupport
import Testing

@testable import ViewerConsole
@testable import trace_viewer

@Suite("Folders of logs on the command line", .ownThread)
struct LogFolderOperandTests {
  private let folder = TemporaryDirectory([
    "a.jsonl": SampleLog.clean,
    "b.jsonl": SampleLog.ofAnother(SampleLog.leak, process: 7),
  ])
  private var paths: [String] { ["a", "b"].map { folder.path + "/\($0).jsonl" } }

  @Test(
    "A command treats a folder like a list of its logs",
    arguments: [
      ["report"], ["report", "-f", "json"], ["report", "--lane=settings"], ["check"],
      ["check", "-f", "json"], ["marbles"], ["replay", "--plain", "--speed=max"],
      ["export", "--to=csv"], [],
    ])
  func sameAsFiles(command: [String]) {
    let listed = run(command + paths)
    for path in [folder.path, folder.path + "/"] {
      let result = run(command + [path])
      #expect(result.code == listed.code)
      #expect(result.out.replacing("//", with: "/") == listed.out.replacing("//", with: "/"))
      #expect(!result.out.isEmpty)
    }
    #expect(listed.code == (command.first == "check" ? .findings : .clean))
  }

  @Test("Folders and files can be mixed, and a folder is read once for each time it is named")
  func mixed() {
    let other = TemporaryFile(SampleLog.ofAnother(SampleLog.leak, process: 8))
    let result = run("check", folder.path, other.path)
    #expect(result.code == .findings)
    #expect(result.out == run(["check"] + paths + [other.path]).out)
    #expect(run("check", folder.path, folder.path).error.contains("already read"))
  }

  @Test("Only the names of logs directly in a folder count, without hidden files")
  func names() {
    let leak = SampleLog.leak
    let noise = TemporaryDirectory([
      "a.jsonl": SampleLog.clean, "a.jsonl.view.json": "{}", ".b.jsonl": leak, "c.json": leak,
      "jsonl": leak, "d.jsonl.part": leak, "below/e.jsonl": leak, "f.jsonl/g.jsonl": leak,
      "h.txt.2": leak, ".jsonl": leak, "i.jsonl~": leak,
    ])
    #expect(mkfifo(noise.path + "/pipe.jsonl", 0o600) == 0)
    #expect(run("check", noise.path).out == "no undisposed subscriptions\n")
  }

  @Test(
    "Further files, compressed files and links are logs",
    arguments: [
      "x.jsonl.2", "x.part-2.jsonl", "x.jsonl.gz", "x.jsonl.2.gz", "x.jsonl.xz", "link.jsonl",
    ])
  func kinds(name: String) throws {
    let leak = TemporaryFile(SampleLog.leak)
    let folder = TemporaryDirectory()
    let path = folder.path + "/" + name
    let command =
      if name.hasSuffix("z") {
        "\(name.hasSuffix("xz") ? "xz" : "gzip") -c '\(leak.path)' > '\(path)'"
      } else if name.hasPrefix("link") {
        "ln -s '\(leak.path)' '\(path)'"
      } else {
        "cp '\(leak.path)' '\(path)'"
      }
    #expect(try ChildProcess("/bin/sh", ["-c", command]).finish().ending == .exited(0))
    #expect(run("check", folder.path).code == .findings)
  }

  @Test("A folder without logs is an error that names what was looked for")
  func empty() {
    let empty = TemporaryDirectory(["notes.txt": "", "c.jsonl.view.json": "{}"])
    let sentence =
      "Error: \(empty.path): This folder doesn't have a log directly in it. Logs have names like"
      + " run.jsonl or run.jsonl.gz.\n"
    for command in [["report"], ["check"], ["marbles"], ["replay"], ["export"], []] {
      let result = run(command + [empty.path])
      #expect(result.code == .cannotOpen)
      #expect(result.error == sentence)
    }
    let diff = run("diff", empty.path, paths[0])
    #expect(diff.code == .cannotOpen)
    #expect(diff.error == sentence)
    #expect(run("explain", empty.path, "9tb1pb").error == sentence)
    // What can be read is shown, but the command still fails.
    let part = run("check", paths[1], empty.path)
    #expect(part.code == .cannotOpen)
    #expect(part.out.contains("error[undisposed]"))
    let json = run("check", "-f", "json", empty.path)
    #expect(json.code == .cannotOpen)
    #expect(json.out.contains("This folder doesn't have a log"))
  }

  @Test("A file in a folder that isn't a log or can't be read is named")
  func unreadable() {
    let text = TemporaryDirectory(["a.jsonl": SampleLog.clean, "b.jsonl": "text\n"])
    let result = run("check", text.path)
    #expect(result.code == .notALog)
    #expect(result.error.contains("Error: \(text.path)/b.jsonl: This is not a trace log"))
    let broken = TemporaryDirectory(["a.jsonl": SampleLog.clean])
    #expect(symlink("/nonexistent/log", broken.path + "/b.jsonl") == 0)
    let missing = run("check", broken.path)
    #expect(missing.code == .cannotOpen)
    #expect(missing.error.contains("Error: \(broken.path)/b.jsonl: There is no such file"))
    let packed = TemporaryDirectory(["a.jsonl": SampleLog.clean])
    packed.write("\u{28}\u{00}", to: "b.jsonl.zst")
    #expect(run("check", packed.path).code == .notALog)
  }

  @Test("Two folders are compared under their names")
  func diff() {
    let old = TemporaryDirectory(["a.jsonl": SampleLog.clean])
    let result = run("diff", old.path, folder.path)
    #expect(result.code == .findings)
    #expect(result.out.contains("new  error[undisposed]"))
    #expect(run("diff", folder.path, folder.path).code == .clean)
    let json = run("diff", "-f", "json", old.path, folder.path)
    #expect(json.out.contains(#""\#(old.path)""#))
    #expect(json.out.contains(#""\#(folder.path)""#))
  }

  @Test("A finding is explained in a folder, and the next command names the folder")
  func explain() throws {
    let check = run("check", folder.path)
    let next = try #require(
      check.error.firstMatch(of: /Next: trace-viewer explain (\S+) (\w+) prints/))
    #expect(String(next.1) == folder.path)
    let result = run("explain", folder.path, String(next.2))
    #expect(result.code == .clean)
    #expect(result.out.contains("error[undisposed]"))
    #expect(run("explain", folder.path).code == .usage)
  }

  @Test("An output isn't written over a log in the folder")
  func output() {
    for command in [["report"], ["export"]] {
      let result = run(command + ["-o", paths[0], folder.path])
      #expect(result.code == .usage)
    }
    #expect(run("check", "-o", "json:\(paths[0])", folder.path).code == .usage)
    #expect(folder.text("a.jsonl") == SampleLog.clean)
  }

  @Test("The interactive view shows all logs in a folder")
  func view() throws {
    let viewer = try ViewerTerminal([folder.path])
    #expect(viewer.wait { $0.text.contains("settings") && $0.lines[0].contains("2 logs") })
    #expect(viewer.end(with: "q") == .exited(0))
    let empty = TemporaryDirectory()
    let refused = try ViewerTerminal([empty.path])
    #expect(refused.terminal.waitForExit() == .exited(66))
    // The screen wraps the sentence, depending on the length of the path before it.
    let text = String(decoding: refused.terminal.bytes, as: UTF8.self)
    #expect(text.contains("This folder doesn't have a log directly in it"))
  }

  @Test("A command for one log doesn't accept a folder")
  func single() {
    let copy = folder.path + "/copy"
    let repair = run("repair", folder.path, "-o", copy)
    #expect(repair.code == .cannotOpen)
    #expect(repair.error.contains("This is a directory. Name a log file in it."))
  }
}
