import TestSupport
import Testing

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import trace_viewer

@Suite("Colours of screens")
struct ScreenColorTests {
  /// A screen with the escape character shown as a sign.
  private static func text(_ stage: ViewerStage, _ depth: ColorDepth) -> String {
    stage.styled(depth).map { $0.replacing("\u{1B}", with: "␛") + "\n" }.joined()
  }

  @Test(
    "are what they are to be",
    arguments: [ColorDepth.none, .eight, .palette, .full], [("start", ""), ("folded", "z")])
  func golden(depth: ColorDepth, look: (name: String, keys: String)) throws {
    let stage = try Scene(look.name, look.keys + "4").stage(.init(columns: 80, rows: 24))
    let shown = Self.text(stage, depth)
    let expected = try GoldenFile.expected("colours \(depth), \(look.name)", shown: shown)
    #expect(shown == expected, "\(shown)")
  }

  @Test("are none where there are none", arguments: Scene.all)
  func noColors(scene: Scene) throws {
    let stage = try scene.stage(.init(columns: 80, rows: 24))
    for line in stage.styled(.none) {
      // Bold, dim, underlined and reversed remain, and the end of each.
      for part in line.split(separator: "\u{1B}[", omittingEmptySubsequences: false).dropFirst() {
        let codes = part.prefix { $0 != "m" }.split(separator: ";")
        #expect(
          !codes.isEmpty && codes.allSatisfy { ["0", "1", "2", "4", "7"].contains($0) }, "\(line)")
      }
    }
  }

  @Test("add nothing to the text", arguments: Scene.all)
  func sameText(scene: Scene) throws {
    let stage = try scene.stage(.init(columns: 80, rows: 24))
    let plain = ScreenView(viewer: stage.viewer).frame.lines.map(\.text)
    for depth in [ColorDepth.none, .eight, .palette, .full] {
      let stripped = stage.styled(depth).map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
      #expect(stripped == plain)
    }
  }

  /// One subscription of each state in a lane of its own, one of them a leak.
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

  @Test("are not all that tells states apart", arguments: [false, true])
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

  @Test("show a leak bold, with the sign of alarm", arguments: [ColorDepth.none, .eight])
  func leak(depth: ColorDepth) throws {
    let stage = try ViewerStage(Self.states)
    let row = try #require(stage.styled(depth).dropFirst(3).first { $0.contains("leaking") })
    let bold = depth == .none ? "\u{1B}[1m!" : "\u{1B}[1;31m!"
    // Beside its name and at the end of its bar.
    #expect(row.ranges(of: bold).count == 2, "\(row)")
  }
}
