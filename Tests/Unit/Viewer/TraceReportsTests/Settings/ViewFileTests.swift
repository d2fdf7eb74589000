import SystemLibrary
import TestSupport
import Testing

@testable import TraceReports
@testable import ViewerConsole

@Suite("ViewFile")
struct ViewFileTests {
  private let directory = TemporaryDirectory(["a.jsonl": ""])
  private let file: ViewFile

  init() throws {
    file = try #require(ViewFile(logs: [directory.path + "/a.jsonl"]))
  }

  private func read(_ text: String) throws -> ViewFile.Content {
    let directory = TemporaryDirectory(["a.jsonl": "", "a.jsonl.view.json": text])
    return try #require(ViewFile(logs: [directory.path + "/a.jsonl"])).read()
  }

  private static let whole: SavedView = {
    var view = SavedView(trace: "9f0c")
    view.filter = "lane:\"a b\" -state:active"
    view.leaksOnly = true
    view.grouping = "source"
    view.order = "life"
    view.pinned = ["search", "日本"]
    view.notes = [.init(time: 7, text: "it's\n\u{1B}[31m slow"), .init(time: 9, text: "x")]
    view.marks = [1, 2]
    view.window = .init(start: 5, duration: 1_000_000_000_000)
    view.position.cursor = 77
    view.position.lane = ["results", "request"]
    view.position.subscription = 3
    view.position.pane = "Detail"
    return view
  }()

  @Test("A view is read as it was written", arguments: [whole, SavedView(trace: "1")])
  func roundTrip(view: SavedView) throws {
    #expect(file.read() == .missing)
    #expect(file.write(view) == .done)
    #expect(file.read() == .view(view))
    var other = view
    other.filter = "x"
    #expect(file.write(other, since: view) == .done)
    #expect(file.read() == .view(other))
  }

  @Test("A view with the largest numbers of a damaged log can be read again")
  func largest() throws {
    var view = SavedView(trace: "1")
    view.notes = [.init(time: .max, text: "x")]
    view.marks = [.max]
    view.window = .init(start: .max, duration: .max)
    view.position.cursor = .max
    view.position.subscription = .max
    #expect(file.write(view) == .done)
    #expect(file.read().view?.notes.map(\.text) == ["x"])
  }

  @Test(
    "A file that isn't a view has a sentence and stays as it is",
    arguments: [
      "", "{", "[]", "{}", #"{"kind":"other","trace":"1"}"#, #"{"kind":"trace-viewer-view"}"#,
      #"{"kind":"trace-viewer-view","version":1,"trace":"1","notes":[{"time":-1,"text":""}]}"#,
      #"{"kind":"trace-viewer-view","version":1,"trace":"1","marks":["x"]}"#,
      #"{"kind":"trace-viewer-view","version":1,"trace":"1","secret":1}"#,
      "{\"kind\":\"trace-viewer-view\",\"trace\":\"\u{1B}\"}",
      String(repeating: "[", count: 100_000), String(repeating: " ", count: 2 << 20) + "{}",
    ])
  func damaged(text: String) throws {
    let directory = TemporaryDirectory(["a.jsonl": "", "a.jsonl.view.json": text])
    let file = try #require(ViewFile(logs: [directory.path + "/a.jsonl"]))
    let reason = try #require(file.read().reason)
    #expect(reason.hasSuffix("."))
    #expect(file.write(Self.whole) == .failed(SavedView.Failure(path: file.path, reason: reason)))
    #expect(directory.text("a.jsonl.view.json") == text)
  }

  @Test("A file of a later version is named as such, even if it has keys that nobody knows yet")
  func later() throws {
    let content = try read(#"{"kind":"trace-viewer-view","version":2,"trace":"1","colors":[]}"#)
    #expect(
      content.reason
        == "'.version' must be 1 (line 1). A newer trace-viewer wrote this file. Use that version.")
  }

  @Test("A symbolic link is neither followed nor replaced")
  func link() throws {
    let directory = TemporaryDirectory(["a.jsonl": "", "mine": "secret"])
    let path = directory.path + "/a.jsonl.view.json"
    for target in ["mine", "nowhere"] {
      unlink(path)
      #expect(symlink(target, path) == 0)
      let file = try #require(ViewFile(logs: [directory.path + "/a.jsonl"]))
      #expect(file.read() == .unusable("The file is a symbolic link."))
      guard case .failed = file.write(Self.whole) else {
        Issue.record("The link was replaced.")
        continue
      }
      #expect(directory.text("mine") == "secret")
      #expect(directory.text("nowhere") == nil)
    }
  }

  @Test("A view that would be too long to be read isn't written")
  func long() throws {
    #expect(file.write(Self.whole) == .done)
    var view = Self.whole
    view.notes.append(.init(time: 1, text: String(repeating: "x", count: 2 << 20)))
    #expect(
      file.write(view, since: Self.whole)
        == .failed(.init(path: file.path, reason: "It would be longer than 1 MB.")))
    #expect(file.read() == .view(Self.whole))
  }

  // MARK: Other writers

  @Test("Two viewers of a log keep each other's notes")
  func together() throws {
    let base = Self.whole
    #expect(file.write(base) == .done)
    var (first, second) = (base, base)
    first.notes.append(.init(time: 8, text: "first"))
    second.notes.removeFirst()
    second.notes.append(.init(time: 8, text: "second"))
    #expect(file.write(first, since: base) == .done)
    #expect(file.write(second, since: base) == .done)
    #expect(file.read().view?.notes.map(\.text) == ["first", "second", "x"])
    // The first viewer doesn't know the changes of the second one, and doesn't undo them.
    var later = first
    later.notes.append(.init(time: 10, text: "later"))
    #expect(file.write(later, since: first) == .done)
    #expect(file.read().view?.notes.map(\.text) == ["first", "second", "x", "later"])
  }

  @Test("Many writers at the same time leave a whole file with all notes")
  func concurrency() throws {
    let directory = TemporaryDirectory(["a.jsonl": "", "a.jsonl.view.json.part": "left over"])
    let file = try #require(ViewFile(logs: [directory.path + "/a.jsonl"]))
    onThreads(8) { writer in
      var base: SavedView?
      for round in 0..<10 {
        var view = base ?? SavedView(trace: "1")
        view.notes.append(.init(time: UInt64(round), text: "note \(writer)"))
        #expect(file.write(view, since: base) == .done)
        base = view
        #expect(file.read().view != nil)
      }
    }
    #expect(file.read().view?.notes.count == 80)
    #expect(Set(directory.names) == ["a.jsonl", "a.jsonl.view.json"])
  }

  @Test("Notes about another log get a file of their own")
  func otherLog() throws {
    let directory = TemporaryDirectory(["a.jsonl": "", "a.jsonl.1.view.json": "mine"])
    let path = directory.path + "/a.jsonl"
    let file = try #require(ViewFile(logs: [path]))
    #expect(file.write(Self.whole) == .done)
    let old = directory.text("a.jsonl.view.json")
    var view = SavedView(trace: "other")
    view.filter = "x"
    #expect(file.write(view, since: Self.whole) == .movedOther(to: path + ".2.view.json"))
    #expect(file.read() == .view(view))
    #expect(directory.text("a.jsonl.1.view.json") == "mine")
    #expect(directory.text("a.jsonl.2.view.json") == old)
    // A view without notes can be arranged again.
    #expect(file.write(Self.whole) == .done)
    #expect(file.read() == .view(Self.whole))
  }

  // MARK: Access

  @Test(
    "Nobody can read a view who can't read the log",
    arguments: [(0o600, 0o600), (0o640, 0o640), (0o644, 0o644), (0o664, 0o644), (0o400, 0o600)])
  func access(log: mode_t, view: mode_t) throws {
    let directory = TemporaryDirectory(["a.jsonl": ""])
    let path = directory.path + "/a.jsonl"
    chmod(path, log)
    let file = try #require(ViewFile(logs: [path]))
    #expect(file.write(Self.whole) == .done)
    #expect(Self.permissions(file.path) == view)
    // The user may restrict the file further.
    chmod(file.path, 0o600)
    #expect(file.write(SavedView(trace: Self.whole.trace), since: Self.whole) == .done)
    #expect(Self.permissions(file.path) == 0o600)
  }

  private static func permissions(_ path: String) -> mode_t {
    var status = stat()
    stat(path, &status)
    return status.st_mode & 0o7777
  }

  @Test("Only a single log that is a regular file has a view")
  func logs() {
    let directory = TemporaryDirectory(["a.jsonl": ""])
    #expect(ViewFile(logs: []) == nil)
    #expect(ViewFile(logs: ["-"]) == nil)
    #expect(ViewFile(logs: [directory.path]) == nil)
    #expect(ViewFile(logs: ["/dev/null"]) == nil)
    #expect(ViewFile(logs: [directory.path + "/a.jsonl", "b"]) == nil)
    #expect(ViewFile(logs: [directory.path + "/a.jsonl"]) != nil)
    #expect(ViewFile(logs: [directory.path + "/later.jsonl"]) != nil)
  }

  @Test("A view that can't be written has a reason")
  func notWritable() throws {
    let file = try #require(ViewFile(logs: ["/nonexistent/a.jsonl"]))
    #expect(
      file.write(SavedView(trace: "1"))
        == .failed(
          .init(path: "/nonexistent/a.jsonl.view.json", reason: "No such file or directory.")))
  }
}
