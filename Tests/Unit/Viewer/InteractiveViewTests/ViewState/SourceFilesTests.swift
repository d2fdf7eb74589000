import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import ViewerConsole

@Suite("SourceFiles")
struct SourceFilesTests {
  private let text = Array("one\ntwo\nthree\nfour\nfive\nsix".utf8)

  @Test(
    "An excerpt has two lines before and after the place",
    arguments: [
      (3, ["one", "two", "three", "four", "five"], 1), (1, ["one", "two", "three"], 1),
      (6, ["four", "five", "six"], 4), (7, [], 5), (0, ["one", "two"], 1), (.max, [], .max - 2),
    ] as [(Int, [String], Int)])
  func excerpts(line: Int, lines: [String], first: Int) {
    let excerpt = SourceLines(SourcePlace(file: "a.swift", line: line), text: text)
    #expect(excerpt.lines == lines)
    #expect(excerpt.first == first)
  }

  @Test("A long line of an excerpt is cut, and broken text is repaired")
  func longLine() {
    let bytes = Array(repeating: UInt8(ascii: "x"), count: 5_000) + [0xFF]
    let place = SourcePlace(file: "a.swift", line: 1)
    #expect(SourceLines(place, text: bytes).lines.map(\.count) == [400])
    #expect(SourceLines(place, text: [0xFF]).lines == ["\u{FFFD}"])
    #expect(SourceLines(place, text: []).lines == [])
    // The ends of lines in files from Windows aren't shown as text.
    #expect(SourceLines(place, text: Array("a\r\nb\r\n".utf8)).lines == ["a", "b"])
  }

  @Test("Only the files that are below the folder become links")
  func links() {
    var sources = SourceFiles(host: "my host")
    #expect(sources.request(["App/A.swift", "B.swift"]).count == 2)
    #expect(sources.request(["App/A.swift", "C.swift"]) == ["C.swift"])
    sources.take(["App/A.swift": "/code/App/Ä #1.swift"])
    let link = sources.linked(.bold, to: "App/A.swift:26").link
    #expect(link?.address == "file://my%20host/code/App/%C3%84%20%231.swift#26")
    #expect(sources.linked(.bold, to: "B.swift:26") == .bold)
    #expect(sources.linked(.bold, to: nil) == .bold)
  }

  @Test("Source files are found below the folder, and those elsewhere are not")
  func locating() throws {
    let folder = TemporaryDirectory(["App/A.swift": "", "x/Same.swift": "", "y/Same.swift": ""])
    let actions = ExternalActions(Environment(), directory: folder.path, inputs: []) {
      _, _, _, _, _ in
    }
    let inside = folder.path + "/App/A.swift"
    let paths = actions.paths(of: ["App/A.swift", "Same.swift", "No.swift", "/etc/passwd", inside])
    #expect(paths == ["App/A.swift": inside, inside: inside])
  }
}
