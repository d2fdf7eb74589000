import SystemLibrary
import TestSupport
import Testing

@testable import ViewerConsole
@testable import trace_viewer

@Suite("CommandSearch")
struct CommandSearchTests {
  @Test("A command is searched for in each folder of PATH unless it contains a slash")
  func candidates() {
    #expect(CommandSearch("a", path: "/x:/y").candidates == ["/x/a", "/y/a"])
    #expect(CommandSearch("a", path: ":/y:").candidates == ["./a", "/y/a", "./a"])
    #expect(CommandSearch("a", path: "").candidates == ["./a"])
    #expect(CommandSearch("a", path: nil).candidates == ["/bin/a", "/usr/bin/a"])
    #expect(CommandSearch("./a", path: "/x").candidates == ["./a"])
    #expect(CommandSearch("b/a", path: "/x").candidates == ["b/a"])
    #expect(CommandSearch("", path: "/x").candidates == [])
  }

  /// Searches for a command. Starting a path results in its error number in `answers`.
  private func start(
    _ name: String, path: String = "/x:/y", _ answers: [String: Int32]
  ) -> (tried: [String], failure: RunFailure?) {
    var tried: [String] = []
    do throws(RunFailure) {
      _ = try CommandSearch(name, path: path).start { path, isScript in
        tried.append(path + (isScript ? " in sh" : ""))
        return (1, isScript ? 0 : answers[path] ?? ENOENT)
      }
      return (tried, nil)
    } catch {
      return (tried, error)
    }
  }

  @Test("The search for a command skips files that are missing or not executable")
  func next() {
    #expect(start("a", ["/y/a": 0]).tried == ["/x/a", "/y/a"])
    #expect(start("a", ["/x/a": EACCES, "/y/a": 0]).failure == nil)
    #expect(start("a", ["/x/a": ENOTDIR, "/y/a": 0]).failure == nil)
    #expect(start("a", ["/x/a": 0]).tried == ["/x/a"])
  }

  @Test("The search for a command stops at a program that exists but that the system can't start")
  func other() {
    let (tried, failure) = start("a", ["/x/a": E2BIG, "/y/a": 0])
    #expect(tried == ["/x/a"])
    #expect(failure?.code == .cannotRun)
    #expect(failure?.sentence.contains("Argument list too long") == true)
  }

  @Test("A script without an interpreter line is run by the shell")
  func script() {
    let directory = TemporaryDirectory(["-s": "exit 0\n"])
    let path = directory.path + "/-s"
    #expect(start(path, [path: ENOEXEC]).tried == [path, path + " in sh"])
    #expect(start("-x/s", ["-x/s": ENOEXEC]).tried == ["-x/s", "./-x/s in sh"])
  }

  @Test("A missing command and a command that can't be run are different errors")
  func failures() {
    let directory = TemporaryDirectory(["file": "", "binary": ""])
    let file = directory.path + "/file"
    #expect(start("a", [:]).failure?.code == .noCommand)
    #expect(start("", [:]).failure?.code == .noCommand)
    #expect(start("/nonexistent/a", [:]).failure?.code == .noCommand)
    #expect(start(file, [file: EACCES]).failure?.code == .cannotRun)
    #expect(start("file", path: directory.path, [file: EACCES]).failure?.code == .cannotRun)
    #expect(start(file + "/a", [file + "/a": ENOTDIR]).failure?.code == .cannotRun)
    // The interpreter in the first line of a script is missing.
    #expect(start(file, [file: ENOENT]).failure?.code == .cannotRun)
    #expect(start(directory.path, [directory.path: EACCES]).failure?.code == .cannotRun)
    // A folder in PATH is not a command.
    let parts = directory.path.split(separator: "/")
    let outer = "/" + parts.dropLast().joined(separator: "/")
    let name = parts.last.map(String.init) ?? ""
    #expect(start(name, path: outer, [directory.path: EACCES]).failure?.code == .noCommand)
  }
}
