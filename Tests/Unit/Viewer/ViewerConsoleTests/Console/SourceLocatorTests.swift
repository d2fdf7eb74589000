import TestSupport
import Testing

@testable import ViewerConsole

@Suite("SourceLocator")
struct SourceLocatorTests {
  /// Returns a function that lists the directories of an imaginary file system.
  private static func list(_ files: [String]) -> (String) -> [SourceLocator.Entry] {
    { path in
      var entries: [String: Bool] = [:]
      for file in files where file.hasPrefix(path + "/") {
        let parts = file.dropFirst(path.count + 1).split(separator: "/")
        guard let name = parts.first else { continue }
        entries[String(name)] = parts.count > 1
      }
      return entries.map { SourceLocator.Entry(name: $0.key, isDirectory: $0.value) }
    }
  }

  private func path(
    of source: String, among files: [String], in directory: String = "/repo",
    repository: String? = nil
  ) -> String {
    SourceLocator(
      [source], in: directory, exists: { $0 == (repository ?? directory) + "/.git" },
      list: Self.list(files)
    ).path(ofSource: source)
  }

  @Test(
    "A source file is found by its module and name",
    arguments: [
      (["/repo/Sources/App/Model.swift"], "Sources/App/Model.swift"),
      (["/repo/App/Model.swift", "/repo/Other/Model.swift"], "App/Model.swift"),
      (["/repo/App/Model.swift", "/repo/Sources/App/Model.swift"], "Sources/App/Model.swift"),
      (
        ["/repo/Sources/App/Views/Model.swift", "/repo/Model.swift"],
        "Sources/App/Views/Model.swift"
      ),
      (["/repo/a/App/x/Model.swift", "/repo/b/App/Model.swift"], "b/App/Model.swift"),
      (["/repo/Elsewhere/Model.swift"], "Elsewhere/Model.swift"),
      (
        ["/repo/Sources/App/Model.swift", "/repo/copy/Sources/App/Model.swift"],
        "Sources/App/Model.swift"
      ),
    ])
  func finding(files: [String], expected: String) {
    #expect(path(of: "App/Model.swift", among: files) == expected)
  }

  @Test(
    "A source that isn't found or is ambiguous keeps its name from the log",
    arguments: [
      [], ["/repo/App/Model.swift.orig"], ["/repo/.build/App/Model.swift"],
      ["/repo/build/App/Model.swift"], ["/repo/A/Model.swift", "/repo/B/Model.swift"],
      ["/repo/a/App/Model.swift", "/repo/b/App/Model.swift"], ["/elsewhere/App/Model.swift"],
    ])
  func notFinding(files: [String]) {
    #expect(path(of: "App/Model.swift", among: files) == "App/Model.swift")
  }

  @Test("An underscore in a module name also matches other characters in a folder name")
  func moduleNames() {
    let files = ["/repo/Sources/trace-viewer/main.swift", "/repo/Sources/sample/main.swift"]
    #expect(path(of: "trace_viewer/main.swift", among: files) == files[0].dropFirst(6))
  }

  @Test("A folder has the name of its module in another notation, unless one has it exactly")
  func otherNotation() {
    let screens = ["/repo/Samples/LeakyScreens/Sub/Route.swift", "/repo/Tests/Leaks/Route.swift"]
    #expect(path(of: "leaky_screens/Route.swift", among: screens) == screens[0].dropFirst(6))
    let exact = ["/repo/LeakyScreens/Route.swift", "/repo/a/leaky-screens/x/Route.swift"]
    #expect(path(of: "leaky_screens/Route.swift", among: exact) == exact[1].dropFirst(6))
  }

  @Test("Paths are relative to the root of the repository")
  func repository() {
    let files = ["/repo/packages/one/Sources/App/Model.swift"]
    #expect(
      path(of: "App/Model.swift", among: files, in: "/repo/packages/one", repository: "/repo")
        == "packages/one/Sources/App/Model.swift")
  }

  @Test("Any file has a relative path")
  func files() {
    let locator = SourceLocator(
      [], in: "/repo/a", exists: { $0 == "/repo/.git" }, list: { _ in [] })
    #expect(locator.path(ofFile: "run.jsonl") == "a/run.jsonl")
    #expect(locator.path(ofFile: "../run.jsonl") == "run.jsonl")
    #expect(locator.path(ofFile: "/repo/x/./y/../run.jsonl") == "x/run.jsonl")
    #expect(locator.path(ofFile: "/tmp/run.jsonl") == "tmp/run.jsonl")
    #expect(locator.path(ofFile: "../../../..") == "unknown")
  }

  @Test(
    "A hostile source path never leads out of the repository",
    arguments: ["../../etc/passwd", "/etc/passwd", "//", ""])
  func hostile(source: String) {
    let path = path(of: source, among: [])
    #expect(!path.hasPrefix("/") && !path.hasPrefix("..") && !path.isEmpty)
  }

  @Test("The search for a source file terminates in an infinite directory tree")
  func endless() {
    var listed = 0
    let locator = SourceLocator(["App/Model.swift"], in: "/repo", exists: { _ in false }) { _ in
      listed += 1
      return ["a", "b", "c"].map { SourceLocator.Entry(name: $0, isDirectory: true) }
    }
    #expect(locator.path(ofSource: "App/Model.swift") == "App/Model.swift")
    #expect(listed <= 20_000)
  }

  @Test("The search for a source file reads real directories")
  func real() {
    let directory = TemporaryDirectory(["Sources/App/Sub/Model.swift": "", ".git": ""])
    let locator = SourceLocator(
      ["App/Model.swift"], in: directory.path, exists: { $0 == directory.path + "/.git" })
    #expect(locator.path(ofSource: "App/Model.swift") == "Sources/App/Sub/Model.swift")
    #expect(DirectoryListing.read("/nonexistent").isEmpty)
  }
}
