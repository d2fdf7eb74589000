import TestSupport
import Testing
import ViewerTestSupport

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerConsole

@Suite("Pictures of retention paths")
struct RetentionPictureTests {
  private static let steps = [
    Retention.Step(.text("closure", detail: "captures self"), site: "App/A.swift:1"),
    RetentionSamples.field("bag", .type("DisposeBag"), .optionalReference),
    Retention.Step(.subscription(SubscriptionID(99), lane: "a")),
  ]

  private func rows(
    _ retention: Retention, columns: Int = 80, glyphs: Glyphs = .unicode
  ) -> [RetentionPicture.Row] {
    RetentionPicture(retention, log: 0, of: .empty, Page(width: columns, glyphs: glyphs)).rows
  }

  private func lines(
    _ retention: Retention, columns: Int = 80, glyphs: Glyphs = .unicode
  ) -> [String] {
    rows(retention, columns: columns, glyphs: glyphs).map(\.line.text)
  }

  @Test("The picture of a cycle leads from the last step back to the first")
  func cycle() {
    let retention = Retention(kind: .cycle, steps: Self.steps, breakIndex: 1)
    #expect(
      lines(retention) == [
        "╭▶┬─ closure            captures self",
        "│ ├─ Screen.bag         DisposeBag  ◀─ break it here",
        "│ │    Set Screen.bag to nil when it is no longer needed.",
        "╰─┴─ subscription of a  #99",
      ])
    #expect(
      lines(retention, glyphs: .ascii) == [
        "+>+- closure            captures self",
        "| +- Screen.bag         DisposeBag  <- break it here",
        "| |    Set Screen.bag to nil when it is no longer needed.",
        "+-+- subscription of a  #99",
      ])
  }

  @Test("The tail of a cycle is painted below it")
  func tail() {
    let steps = Self.steps[..<2] + [Retention.Step(.text("Row.bag", detail: ""))] + Self.steps[2...]
    let retention = Retention(kind: .cycle, steps: Array(steps), tail: 2)
    #expect(
      lines(retention) == [
        "╭▶┬─ closure            captures self",
        "╰─┼─ Screen.bag         DisposeBag",
        "  ├─ Row.bag",
        "  ╰▶ subscription of a  #99",
      ])
  }

  @Test("A step that retains itself is painted as a loop")
  func loop() {
    #expect(
      lines(Retention(kind: .cycle, steps: Array(Self.steps.prefix(1)))) == [
        "╭▶┬─ closure  captures self", "╰─╯",
      ])
    let steps = [Self.steps[0], Self.steps[2]]
    #expect(
      lines(Retention(kind: .cycle, steps: steps, tail: 1)) == [
        "╭▶┬─ closure            captures self", "╰─┤", "  ╰▶ subscription of a  #99",
      ])
  }

  @Test("The picture of a path leads from a root to the subscription")
  func path() {
    #expect(
      lines(Retention(kind: .path, steps: Self.steps, breakIndex: 1)) == [
        "  ╭─ closure            captures self",
        "  ├─ Screen.bag         DisposeBag  ◀─ break it here",
        "  ╰▶ subscription of a  #99",
      ])
    #expect(
      lines(Retention(kind: .path, steps: Array(Self.steps.suffix(1)))) == [
        "   ▶ subscription of a  #99"
      ])
    #expect(lines(Retention(kind: .none)) == [])
  }

  @Test("Details that don't fit next to a step are painted below it")
  func narrow() {
    let retention = Retention(kind: .cycle, steps: Self.steps, breakIndex: 1)
    #expect(
      lines(retention, columns: 22) == [
        "╭▶┬─ closure",
        "│ │    captures self",
        "│ ├─ Screen.bag",
        "│ │    DisposeBag",
        "│ │    ◀─ break it",
        "│ │    here",
        "│ │    Set Screen.bag",
        "│ │    to nil when it",
        "│ │    is no longer",
        "│ │    needed.",
        "╰─┴─ subscription of a",
        "       #99",
      ])
  }

  @Test("The last step of a path shows the state of the subscription")
  func subscription() throws {
    let log = try ViewerStage(CauseLogs.leak).viewer.log
    let retention = try #require(log.retention(of: 0))
    let picture = RetentionPicture(retention, log: 0, of: log, Page(width: 80, glyphs: .unicode))
    #expect(picture.rows.last?.line.text.hasSuffix("#1, active for 900 ms, 0 elements") == true)
  }

  @Test("A very long path is shortened in the middle but keeps the step to break")
  func endless() throws {
    let steps = (0..<20_000).map { Retention.Step(.text("node \($0)", detail: "")) }
    let retention = Retention(kind: .cycle, steps: steps, tail: 5, breakIndex: 9000)
    let rows = rows(retention)
    #expect(rows.count < 520)
    #expect(rows.contains { $0.line.text.contains("node 9000  ◀─ break it here") })
    #expect(rows.contains { $0.line.text.contains("8,752 more steps") && $0.step == nil })
    #expect(rows.contains { $0.line.text == "╰─┼─ node 19994" })
    #expect(rows.last?.line.text == "  ╰▶ node 19999")
  }

  @Test("The picture of a path fits any width, regardless of its text", arguments: 0..<40)
  func widths(seed: Int) throws {
    var random = FixedNumbers(seed: UInt64(seed) + 7)
    let texts = ["", "a", "語語語", "👩‍👩‍👧‍👦", "e\u{301}", "\u{1B}[2J", "two words", "x\ny"]
    let steps = (0..<Int.random(in: 1...70, using: &random)).map { _ in
      let text = String(
        repeating: texts.randomElement(using: &random) ?? "",
        count: Int.random(in: 1...30, using: &random))
      let other = texts.randomElement(using: &random) ?? ""
      return Retention.Step(.field(.init(text, other, .type(other), .optionalReference)))
    }
    let kind: Retention.Kind = Bool.random(using: &random) ? .cycle : .path
    let mark = Bool.random(using: &random) ? Int.random(in: steps.indices, using: &random) : nil
    let retention = Retention(
      kind: kind, steps: steps,
      tail: kind == .cycle ? Int.random(in: 0..<steps.count, using: &random) : 0,
      breakIndex: mark)
    for columns in [20, 27, 40, 80, 200] {
      let rows = rows(retention, columns: columns, glyphs: seed % 2 == 0 ? .unicode : .ascii)
      let wide = rows.filter { $0.line.columns > columns }
      #expect(wide.isEmpty, "\(wide.map(\.line.text)) in \(columns) columns")
      // All steps are present and in order.
      let seen = rows.compactMap(\.step)
      #expect(seen == seen.sorted())
      #expect(Set(seen) == Set(steps.indices))
      let all = rows.map(\.line.text).joined()
      #expect(
        all.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    }
  }
}
