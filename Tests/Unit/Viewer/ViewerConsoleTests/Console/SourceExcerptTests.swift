import TerminalUI
import TestSupport
import Testing

@testable import ViewerConsole

@Suite("Lines of source files")
struct SourceExcerptTests {
  private func lines(
    _ text: String, line: Int, column: Int = 1, width: Int = 60, mark: String = ""
  ) -> [String]? {
    let folder = TemporaryDirectory(["A.swift": text])
    let excerpt = SourceExcerpt(
      reading: folder.path + "/A.swift", path: "App/A.swift", line: line, column: column)
    return excerpt.map { excerpt in
      excerpt.lines(Page(width: width, glyphs: .unicode), indent: 2, mark: mark).map(\.text)
    }
  }

  @Test("The sign is below the column, without the spaces at the beginning of the line")
  func sign() {
    #expect(
      lines("a\n    items.sink { self.a = $0 }\n", line: 2, column: 16, mark: "[weak self]") == [
        "  --> App/A.swift:2:16", "   2 | items.sink { self.a = $0 }",
        "     |            ^ [weak self]",
      ])
  }

  @Test("A column after characters of several bytes or columns is found")
  func wide() {
    // Each of the two characters has three bytes and two columns.
    let found = lines("f(\"日本\") { self.a }", line: 1, column: 12)
    #expect(found?.last == "     |          ^")
    #expect(lines("\tf { self }", line: 1, column: 4)?.last == "     |   ^")
  }

  @Test("Without a column, the sign is left out, and without a line, nothing is shown")
  func missing() {
    #expect(lines("let a = 1\r\n", line: 1) == ["  --> App/A.swift:1", "   1 | let a = 1"])
    #expect(lines("a", line: 2) == nil)
    #expect(lines("a", line: 0) == nil)
    #expect(lines("a\n   \n", line: 2) == nil)
    #expect(SourceExcerpt(reading: "/no/such/file", path: "a", line: 1, column: 1) == nil)
  }

  @Test("Of a long line, the part around the column is shown, at every width")
  func long() throws {
    let text = String(repeating: "x", count: 200) + "{ self.a }" + String(repeating: "y", count: 90)
    for width in 20...80 {
      let found = try #require(lines(text, line: 1, column: 201, width: width, mark: "mark"))
      #expect(found.allSatisfy { DisplayWidth.columns(of: $0) <= width })
      let column = try #require(found[2].firstIndex(of: "^"))
      let at = found[2].distance(from: found[2].startIndex, to: column)
      #expect(Array(found[1])[at] == "{", "\(width): \(found)")
    }
  }

  @Test("Control characters of a file don't reach the terminal")
  func hostile() throws {
    let found = try #require(lines("let a = \u{1B}[2J \u{202E}1", line: 1, column: 5))
    for line in found {
      #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
    }
  }
}
