import SystemLibrary
import TestSupport
import Testing

@testable import TraceAnalysis
@testable import ViewerBase

@Suite("The search for a command")
struct CommandSearchTests {
  @Test("tries each folder of PATH, and only the path if the command has one")
  func candidates() {
    #expect(CommandSearch("a", path: "/x:/y").candidates == ["/x/a", "/y/a"])
    #expect(CommandSearch("a", path: ":/y:").candidates == ["./a", "/y/a", "./a"])
    #expect(CommandSearch("a", path: "").candidates == ["./a"])
    #expect(CommandSearch("a", path: nil).candidates == ["/bin/a", "/usr/bin/a"])
    #expect(CommandSearch("./a", path: "/x").candidates == ["./a"])
    #expect(CommandSearch("b/a", path: "/x").candidates == ["b/a"])
    #expect(CommandSearch("", path: "/x").candidates == [])
  }

  /// Searches while each path answers with an error number.
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

  @Test("goes on to the next folder if a file is missing or may not be run")
  func next() {
    #expect(start("a", ["/y/a": 0]).tried == ["/x/a", "/y/a"])
    #expect(start("a", ["/x/a": EACCES, "/y/a": 0]).failure == nil)
    #expect(start("a", ["/x/a": ENOTDIR, "/y/a": 0]).failure == nil)
    #expect(start("a", ["/x/a": 0]).tried == ["/x/a"])
  }

  @Test("ends at a program that is there but too much for the system")
  func other() {
    let (tried, failure) = start("a", ["/x/a": E2BIG, "/y/a": 0])
    #expect(tried == ["/x/a"])
    #expect(failure?.code == .cannotRun)
    #expect(failure?.sentence.contains("Argument list too long") == true)
  }

  @Test("lets the shell run a text without a first line that names a program")
  func script() {
    let directory = TemporaryDirectory(["-s": "exit 0\n"])
    let path = directory.path + "/-s"
    #expect(start(path, [path: ENOEXEC]).tried == [path, path + " in sh"])
    #expect(start("-x/s", ["-x/s": ENOEXEC]).tried == ["-x/s", "./-x/s in sh"])
  }

  @Test("tells what is missing from what cannot be run")
  func failures() {
    let directory = TemporaryDirectory(["file": "", "binary": ""])
    let file = directory.path + "/file"
    #expect(start("a", [:]).failure?.code == .noCommand)
    #expect(start("", [:]).failure?.code == .noCommand)
    #expect(start("/nonexistent/a", [:]).failure?.code == .noCommand)
    #expect(start(file, [file: EACCES]).failure?.code == .cannotRun)
    #expect(start("file", path: directory.path, [file: EACCES]).failure?.code == .cannotRun)
    #expect(start(file + "/a", [file + "/a": ENOTDIR]).failure?.code == .cannotRun)
    // The program that the first line of a script names is missing.
    #expect(start(file, [file: ENOENT]).failure?.code == .cannotRun)
    #expect(start(directory.path, [directory.path: EACCES]).failure?.code == .cannotRun)
    // A folder in PATH is not a command.
    let parts = directory.path.split(separator: "/")
    let outer = "/" + parts.dropLast().joined(separator: "/")
    let name = parts.last.map(String.init) ?? ""
    #expect(start(name, path: outer, [directory.path: EACCES]).failure?.code == .noCommand)
  }
}
