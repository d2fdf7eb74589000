import Testing

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceWords
@testable import ViewerConsole

@Suite("Colors of states")
struct StateColorsTests {
  private static let looks: [(name: String, style: Style)] =
    Lifecycle.State.allCases.map { ("\($0)", Glyphs.style($0)) } + [
      ("suspect", Glyphs.suspectStyle), ("mark", Glyphs.noteStyle),
    ]

  @Test("States have their usual colors")
  func names() {
    let colors = Dictionary(uniqueKeysWithValues: Self.looks.map { ($0.name, $0.style.color) })
    #expect(
      colors == [
        "active": .blue, "completed": .green, "disposed": .cyan, "failed": .red, "suspect": .red,
        "released": .magenta, "mark": .yellow,
      ])
  }
}
