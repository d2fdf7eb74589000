import Testing

@testable import trace_viewer

@Suite("SettingsFile")
struct SettingsFileTests {
  @Test(
    "is that of the nearest directory, inside the repository",
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
  func find(directory: String, existing: [String], expected: String?) {
    #expect(SettingsFile.find(from: directory) { existing.contains($0) } == expected)
  }
}
