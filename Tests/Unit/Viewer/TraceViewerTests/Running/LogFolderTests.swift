import SystemLibrary
import TestSupport
import Testing

@testable import ReactiveTrace
@testable import ViewerConsole
@testable import trace_viewer

@Suite("LogFolder")
struct LogFolderTests {
  private func failure(_ body: () throws(RunFailure) -> LogFolder) -> RunFailure? {
    do throws(RunFailure) {
      _ = try body()
      return nil
    } catch {
      return error
    }
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  @Test("The log folder is accessible only to its owner and is removed with its contents")
  func removal() throws {
    let outer = TemporaryDirectory()
    let folder = try LogFolder(temporary: outer.path)
    #expect(mode(folder.path) == 0o700)
    #expect(folder.path.hasPrefix(outer.path + "/"))
    #expect(folder.files == [])
    for name in ["b.jsonl", "a.jsonl", "a.2.jsonl", "a.jsonl.2", "other", ".hidden"] {
      close(open(folder.path + "/" + name, O_WRONLY | O_CREAT, 0o600))
    }
    let logs = ["a.2.jsonl", "a.jsonl", "a.jsonl.2", "b.jsonl"]
    #expect(folder.files == logs.map { folder.path + "/" + $0 })
    #expect(folder.remove() == nil)
    #expect(mode(folder.path) == nil)
    #expect(folder.remove() == nil)
  }

  @Test("Removing the log folder doesn't follow links in it")
  func links() throws {
    let outer = TemporaryDirectory(["other/precious": "text"])
    let folder = try LogFolder(temporary: outer.path)
    symlink(outer.path + "/other", folder.path + "/link")
    symlink(outer.path + "/other/precious", folder.path + "/file")
    mkdir(folder.path + "/inner", 0o700)
    symlink(outer.path + "/other", folder.path + "/inner/link")
    #expect(folder.files == [])
    #expect(folder.remove() == nil)
    #expect(mode(folder.path) == nil)
    #expect(outer.text("other/precious") == "text")
  }

  @Test("Removing the log folder doesn't affect another folder at its path")
  func replaced() throws {
    let outer = TemporaryDirectory(["other/precious": "text"])
    let folder = try LogFolder(temporary: outer.path)
    close(open(folder.path + "/a.jsonl", O_WRONLY | O_CREAT, 0o600))
    let moved = outer.path + "/moved"
    try #require(rename(folder.path, moved) == 0)
    try #require(rename(outer.path + "/other", folder.path) == 0)
    #expect(folder.remove() == nil)
    let name = folder.path.split(separator: "/").last.map(String.init) ?? ""
    #expect(outer.text(name + "/precious") == "text")
    #expect(access(moved + "/a.jsonl", F_OK) != 0)
  }

  @Test("Each log of a process has a unique name, regardless of the path of the folder")
  func pattern() throws {
    let outer = TemporaryDirectory()
    let inner = outer.path + "/100%p %t"
    let folder = try LogFolder(kept: inner)
    let names = (0..<3).map { _ in LogPath.resolve(folder.logPattern, .current()) }
    #expect(Set(names).count == 3)
    #expect(names.allSatisfy { $0.hasPrefix(inner + "/\(getpid())-") && $0.hasSuffix(".jsonl") })
  }

  @Test("A log folder to keep isn't removed, and must be new or empty")
  func kept() throws {
    let outer = TemporaryDirectory(["full/.hidden": "", "file": ""])
    let folder = try LogFolder(kept: outer.path + "/new")
    #expect(folder.isKept)
    #expect(folder.remove() == nil)
    #expect(mode(outer.path + "/new") != nil)
    #expect(try LogFolder(kept: outer.path + "/new/").path == outer.path + "/new")
    let full = failure { () throws(RunFailure) in try LogFolder(kept: outer.path + "/full") }
    #expect(full?.code == .usage)
    #expect(full?.sentence.contains("is not empty") == true)
    let file = failure { () throws(RunFailure) in try LogFolder(kept: outer.path + "/file") }
    #expect(file?.code == .usage)
    let deep = failure { () throws(RunFailure) in try LogFolder(kept: outer.path + "/no/such") }
    #expect(deep?.code == .cannotWrite)
  }

  @Test("A missing TMPDIR or a path that is too long for logs is an error")
  func noPlace() {
    let missing = failure { () throws(RunFailure) in try LogFolder(temporary: "/nonexistent") }
    #expect(missing?.code == .cannotWrite)
    #expect(missing?.sentence.contains("Set TMPDIR to") == true)
    let outer = TemporaryDirectory()
    var path = outer.path
    while path.utf8.count < Int(PATH_MAX) - 150 {
      path += "/" + String(repeating: "x", count: 100)
      mkdir(path, 0o700)
    }
    path += "/" + String(repeating: "y", count: 60)
    mkdir(path, 0o700)
    let long = failure { () throws(RunFailure) in try LogFolder(temporary: path) }
    #expect(long?.code == .cannotWrite)
    #expect(long?.sentence.contains("File name too long") == true)
    let raw = outer.path + "/" + RawPath.make([0x61, 0xE9])
    let notText = failure { () throws(RunFailure) in try LogFolder(kept: raw) }
    #expect(notText?.sentence.contains("not UTF-8") == true)
  }
}
