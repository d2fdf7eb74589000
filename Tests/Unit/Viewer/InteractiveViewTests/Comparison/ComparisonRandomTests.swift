import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceWords

/// Tests that type random keys into comparisons.
@Suite("Comparisons with random keys")
struct ComparisonRandomTests {
  private static let keys = Array("hjkl()gGwsadf!@/nNty?qz\u{7F}:&1x")
  private static let named: [KeyPress] = [
    KeyPress(.escape), KeyPress(.enter), KeyPress(.tab), KeyPress(.pageUp), KeyPress(.pageDown),
    KeyPress(.home), KeyPress(.end), KeyPress(.up), KeyPress(.down), .control("l"),
  ]

  @Test("Every screen fits after any keys and any resize", arguments: 0..<8)
  func random(seed: UInt64) throws {
    var random = FixedNumbers(seed: seed)
    let pairs = [
      ComparisonLogs.kinds, ComparisonLogs.lanes(40), (SampleLog.make([]), SampleLog.make([])),
      (SampleLog.died, SampleLog.objects),
    ]
    let (old, new) = pairs[Int(seed) % pairs.count]
    var stage = try ComparisonStage(old, new)
    for _ in 0..<(TestLength.isLong ? 2000 : 100) {
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        stage.viewer.resize(
          columns: .random(in: 1...150, using: &random), rows: .random(in: 1...50, using: &random))
      case 1...2:
        guard let press = Self.named.randomElement(using: &random) else { continue }
        _ = stage.viewer.update(.key(press))
      default:
        guard let key = Self.keys.randomElement(using: &random) else { continue }
        _ = stage.viewer.update(.key(KeyPress(key)))
      }
      let (columns, rows) = (stage.viewer.terminal.columns, stage.viewer.terminal.rows)
      let lines = ComparisonScreen(viewer: stage.viewer).frame.lines
      #expect(lines.count <= rows)
      #expect(lines.allSatisfy { $0.columns <= columns }, "\(columns)x\(rows)")
      #expect(stage.viewer.list.row == 0 || stage.viewer.list.row < stage.viewer.count)
      #expect(stage.viewer.window.contains(stage.viewer.cursor))
    }
  }
}
