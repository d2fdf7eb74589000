import SystemLibrary
import TestSupport
import Testing

@testable import TraceReports

@Suite("SettingsFile")
struct SettingsFileTests {
  /// - Parameter owners: The owners of files and directories, if not user 1000.
  private func search(
    _ directory: String, _ existing: [String], home: String? = nil, owners: [String: UInt32] = [:]
  ) -> SettingsFile.Search {
    SettingsFile.search(from: directory, home: home, user: 1000) { path in
      let isDirectory = !path.hasSuffix(".git") && !path.hasSuffix(SettingsFile.name)
      guard isDirectory || existing.contains(path) else { return nil }
      return .init(owner: owners[path] ?? 1000)
    }
  }

  @Test(
    "The nearest settings file inside the repository is found",
    arguments: [
      ("/a/b/c", ["/a/b/.trace-viewer.json", "/a/.trace-viewer.json"], "/a/b/.trace-viewer.json"),
      ("/a/b/", ["/a/b/.trace-viewer.json"], "/a/b/.trace-viewer.json"),
      ("/a/b//", ["/a/.trace-viewer.json"], "/a/.trace-viewer.json"),
      ("/a/b", ["/.trace-viewer.json"], "/.trace-viewer.json"),
      ("/", ["/.trace-viewer.json"], "/.trace-viewer.json"),
      ("/a/b", ["/a/b/.git", "/a/.trace-viewer.json"], nil),
      ("/a/b", ["/a/b/.git", "/a/b/.trace-viewer.json"], "/a/b/.trace-viewer.json"),
      ("/a/b", ["/a/.git", "/a/.trace-viewer.json"], "/a/.trace-viewer.json"),
      ("/a/b", ["/.git", "/x/.trace-viewer.json"], nil), ("/a/b", [], nil), ("", [], nil),
      ("a/b", [".trace-viewer.json"], ".trace-viewer.json"),
      ("a/b", ["a/.trace-viewer.json"], "a/.trace-viewer.json"),
      ("/é/b", ["/é/.trace-viewer.json"], "/é/.trace-viewer.json"),
    ] as [(String, [String], String?)])
  func nearest(directory: String, existing: [String], expected: String?) {
    #expect(search(directory, existing) == expected.map { .found($0) } ?? SettingsFile.Search.none)
  }

  @Test("Directories above the home directory aren't searched")
  func home() {
    let above = ["/home/.trace-viewer.json", "/.trace-viewer.json"]
    #expect(search("/home/me/a", above, home: "/home/me") == .none)
    #expect(search("/home/me/a", above, home: "/home/me/") == .none)
    let own = "/home/me/.trace-viewer.json"
    #expect(search("/home/me/a", above + [own], home: "/home/me") == .found(own))
    #expect(search("/srv/a", ["/srv/.trace-viewer.json"], home: "/home/me") != .none)
  }

  @Test("A file of another user is rejected unless that user is root or owns the directory")
  func owners() {
    let path = "/tmp/.trace-viewer.json"
    #expect(search("/tmp/a", [path], owners: [path: 7]) == .foreign(path))
    #expect(search("/tmp/a", [path], owners: [path: 0]) == .found(path))
    #expect(search("/tmp/a", [path], owners: [path: 7, "/tmp/a": 7]) == .found(path))
    // The search ends at a directory of another user.
    #expect(search("/tmp/a", [path], owners: ["/tmp": 7]) == .none)
  }

  @Test("A baseline must be inside the folder of the settings file, even if links are involved")
  func inside() throws {
    let directory = TemporaryDirectory([
      "project/.trace-viewer.json": "{}", "project/known.json": "x", "project/ci/.keep": "",
      "other/secret": "s", "project2/x": "",
    ])
    let project = directory.path + "/project"
    let file = project + "/" + SettingsFile.name
    for (link, target) in [
      ("secret", "../other/secret"), ("away", "../other"), ("nowhere", "../other/new"),
      ("inner", "known.json"), ("sibling", "../project2"),
    ] {
      #expect(symlink(target, "\(project)/\(link)") == 0)
    }
    for inside in ["known.json", "new.json", "ci/new.json", "inner", "ci/../known.json"] {
      #expect(SettingsFile.isInside("\(project)/\(inside)", folderOf: file), "\(inside)")
    }
    for outside in [
      "secret", "away/secret", "away/new", "nowhere", "sibling/x", "away/../other/secret",
    ] {
      #expect(!SettingsFile.isInside("\(project)/\(outside)", folderOf: file), "\(outside)")
    }
    for link in ["secret", "away", "nowhere", "inner", "sibling"] { unlink("\(project)/\(link)") }
  }
}
