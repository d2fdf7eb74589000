import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceWords
@testable import ViewerConsole

@Suite("Colors of screens")
struct ScreenColorTests {
  /// Returns a screen with a visible sign for the escape character.
  private static func text(_ stage: ViewerStage, _ depth: ColorDepth) -> String {
    stage.styled(depth).map { $0.replacing("\u{1B}", with: "␛") + "\n" }.joined()
  }

  @Test(
    "Screen colors match the golden files",
    arguments: [ColorDepth.none, .eight, .palette, .full], [("start", ""), ("folded", "z")])
  func golden(depth: ColorDepth, look: (name: String, keys: String)) throws {
    let stage = try Scene(look.name, look.keys + "4").stage(.init(columns: 80, rows: 24))
    let shown = Self.text(stage, depth)
    let expected = try GoldenFile.expected("colours \(depth), \(look.name)", shown: shown)
    #expect(shown == expected, "\(shown)")
  }

  @Test("A terminal without colors receives no color codes", arguments: Scene.all)
  func noColors(scene: Scene) throws {
    let stage = try scene.stage(.init(columns: 80, rows: 24))
    for line in stage.styled(.none) {
      // Only bold, dim, underlined, reversed and reset remain.
      for part in line.split(separator: "\u{1B}[", omittingEmptySubsequences: false).dropFirst() {
        let codes = part.prefix { $0 != "m" }.split(separator: ";")
        #expect(
          !codes.isEmpty && codes.allSatisfy { ["0", "1", "2", "4", "7"].contains($0) }, "\(line)")
      }
    }
  }

  @Test("Colors don't change the text of a screen", arguments: Scene.all)
  func sameText(scene: Scene) throws {
    let stage = try scene.stage(.init(columns: 80, rows: 24))
    let plain = ScreenView(viewer: stage.viewer).frame.lines.map(\.text)
    let depths = [ColorDepth.none, .eight, .palette, .full]
    let number = Scene.all.firstIndex { $0.name == scene.name } ?? 0
    for depth in TestLength.isLong ? depths : [depths[number % depths.count]] {
      let stripped = stage.styled(depth).map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
      #expect(stripped == plain)
    }
  }

  /// One subscription of each state, each in its own lane. One of them is a leak.
  private static let states = SampleLog.make([
    SampleLog.subscribe(1, "finished", at: 100_000_000),
    SampleLog.end("completed", 1, "finished", at: 500_000_000),
    SampleLog.subscribe(2, "broken", at: 100_000_000),
    SampleLog.end("failed", 2, "broken", at: 500_000_000),
    SampleLog.subscribe(3, "given up", at: 100_000_000),
    SampleLog.end("disposed", 3, "given up", at: 500_000_000),
    SampleLog.subscribe(4, "forgotten", at: 100_000_000),
    SampleLog.end("released", 4, "forgotten", at: 500_000_000),
    SampleLog.subscribe(5, "for ever", at: 100_000_000, #","lifetime":"process""#),
    SampleLog.subscribe(6, "leaking", at: 100_000_000),
  ])

  @Test(
    "States have different signs, so colors aren't needed to distinguish them",
    arguments: [false, true])
  func statesDiffer(isASCII: Bool) throws {
    let stage = try ViewerStage(Self.states, ascii: isASCII)
    let names = ["finished", "broken", "given up", "forgotten", "for ever", "leaking"]
    let ends = try names.map { name in
      let row = try #require(stage.screen.dropFirst(3).first { $0.contains(name) })
      return try #require(
        row.last { !" :┊│|".contains($0) || isASCII && $0 == "|" && name == "finished" })
    }
    #expect(Set(ends).count == names.count, "\(ends)")
    #expect(ends.last == "!")
  }

  @Test("A leak is bold and has a red sign", arguments: [ColorDepth.none, .eight])
  func leak(depth: ColorDepth) throws {
    let stage = try ViewerStage(Self.states)
    let row = try #require(stage.styled(depth).dropFirst(3).first { $0.contains("leaking") })
    let bold = depth == .none ? "\u{1B}[1m!" : "\u{1B}[1;31m!"
    // The sign is next to the name and at the end of the bar.
    #expect(row.ranges(of: bold).count == 2, "\(row)")
  }

  @Test("States have the same colors in the timeline and panes")
  func sameEverywhere() throws {
    let expected = [
      "finished": "32", "broken": "31", "given up": "36", "forgotten": "35", "for ever": "34",
    ]
    var stage = try ViewerStage(Self.states, rows: 40)
    for (name, code) in expected {
      let row = try #require(stage.styled(.eight).dropFirst(3).first { $0.contains(name) })
      let codes = Set(row.matches(of: /\u{1B}\[(?:1;)?(3[1-6])m/).map { String($0.output.1) })
      #expect(codes == [code], "\(name): \(row)")
    }
    // The subscription that lives until exit, in the list and in the detail.
    for keys in ["/for ever<Enter>1<Tab>", "3<Tab>"] {
      stage.type(keys)
      #expect(stage.styled(.eight).contains { $0.contains("\u{1B}[34m▶ active") })
    }
  }

  @Test("An active subscription never has the color of a completed one")
  func stillActive() throws {
    // The process was killed, so nothing proves a leak.
    let stage = try ViewerStage(SampleLog.died)
    for depth in [ColorDepth.eight, .palette, .full] {
      let green = Glyphs.style(.completed).sequence(depth)
      let row = try #require(stage.styled(depth).first { $0.contains("▶") })
      #expect(!row.contains(green))
      #expect(row.contains(Glyphs.style(.active).sequence(depth)))
    }
  }
}
