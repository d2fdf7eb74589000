import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerConsole

@Suite("Pictures of what leaked objects keep alive")
struct HeldPictureTests {
  private let classes = [
    LeakedObjects.Class(name: "Leaf", count: 1000, bytes: 24_000),
    LeakedObjects.Class(name: "", count: 1, bytes: 1),
  ]

  private func lines(
    _ classes: [LeakedObjects.Class], columns: Int = 80, glyphs: Glyphs = .unicode
  ) -> [String] {
    HeldPicture(classes: classes, page: Page(width: columns, glyphs: glyphs)).lines.map(\.text)
  }

  @Test("Each class is a branch with its count and its bytes")
  func branches() {
    #expect(
      lines(classes) == [
        "  │  keeps alive", "  ├╌ 1,000 × Leaf  24,000 bytes", "  ╰╌ 1 × memory          1 byte",
      ])
    #expect(
      lines(classes, glyphs: .ascii) == [
        "  |  keeps alive", "  +. 1,000 x Leaf  24,000 bytes", "  +. 1 x memory          1 byte",
      ])
    #expect(lines([]).isEmpty)
  }

  @Test("Many classes end with one branch for the rest")
  func manyClasses() {
    let many = (0..<30).map { LeakedObjects.Class(name: "C\($0)", count: 1, bytes: 10) }
    let lines = lines(many)
    #expect(lines.count == 14)
    #expect(lines.last == "  ╰╌ 18 other classes  180 bytes")
  }

  @Test("Long and hostile names stay within the page", arguments: [1, 10, 20, 40, 80])
  func widths(columns: Int) {
    let name = String(repeating: "Long<\u{1B}[2J>", count: 30)
    let classes = [LeakedObjects.Class(name: name, count: 1_000_000, bytes: .max)]
    for line in lines(classes, columns: columns) {
      #expect(DisplayWidth.columns(of: line) <= columns)
      #expect(!line.contains("\u{1B}"))
    }
  }

  @Test("A step that retains itself leads to the branches, too")
  func loop() {
    let field = Retention.Step.Field("Me", "me", .type("Me"), .reference)
    let retention = Retention(kind: .cycle, steps: [Retention.Step(.field(field))])
    let picture = RetentionPicture(
      retention, log: 0, of: .empty, Page(width: 80, glyphs: .unicode), held: classes)
    #expect(
      picture.rows.map(\.line.text) == [
        "╭▶┬─ Me.me  Me", "╰─┤", "  │  keeps alive", "  ├╌ 1,000 × Leaf  24,000 bytes",
        "  ╰╌ 1 × memory          1 byte",
      ])
  }
}
