import TestSupport
import Testing

@testable import InteractiveView
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("The gaps in the summary pane")
struct UpdateSummaryTests {
  private static let ms = StageLogs.ms

  /// A log of a lane whose second subscription has the longest gap, from 40 to 520 ms.
  private static let gaps = SampleLog.make(
    [
      SampleLog.subscribe(1, "ticks", at: 0), SampleLog.subscribe(2, "ticks", at: 5 * ms),
      SampleLog.next(1, "ticks", at: 10 * ms, "a"), SampleLog.next(1, "ticks", at: 20 * ms, "b"),
      SampleLog.next(2, "ticks", at: 30 * ms, "c"), SampleLog.next(2, "ticks", at: 40 * ms, "d"),
      SampleLog.next(2, "ticks", at: 520 * ms, "e"),
      SampleLog.end("disposed", 1, "ticks", at: 900 * ms),
      SampleLog.end("disposed", 2, "ticks", at: 900 * ms),
    ])

  private func row(_ stage: ViewerStage) -> String {
    stage.screen[stage.viewer.layout.pane].first { $0.hasPrefix("ticks") } ?? ""
  }

  @Test("The summary shows when the longest gap of a lane was, and Enter goes there")
  func longest() throws {
    var stage = try ViewerStage(Self.gaps, columns: 120, typing: "5")
    #expect(stage.shows(.summary, "MAX GAP    GAP AT"))
    #expect(row(stage).hasSuffix(" 480 ms     40 ms"))
    stage.type("<Enter>")
    #expect(stage.viewer.focus == .timeline)
    #expect(stage.timeline.cursor.count == UInt64(40 * Self.ms))
    #expect(stage.timeline.chosen == 1)
    #expect(stage.footer.contains("#2 has no element for 480 ms from here"))
  }

  @Test("With two marks, the gaps are those between elements that are both between the marks")
  func betweenMarks() throws {
    var stage = try ViewerStage(Self.gaps, columns: 160)
    let (first, last) = (UInt64(5 * Self.ms), UInt64(100 * Self.ms))
    stage.viewer.timeline.setMarks(Nanoseconds(first), Nanoseconds(last))
    stage.type("5")
    #expect(row(stage).hasSuffix(" ~10 ms    ~10 ms     10 ms     10 ms"))
  }

  @Test("The letter in a title sorts by its column, and again as in the timeline")
  func letters() throws {
    let log = SampleLog.make([
      SampleLog.subscribe(1, "a", at: 1), SampleLog.end("completed", 1, "a", at: 2),
      SampleLog.subscribe(2, "b", at: 3), SampleLog.end("completed", 2, "b", at: 900 * Self.ms),
    ])
    var stage = try ViewerStage(log, columns: 160, typing: "5")
    func lanes(_ stage: ViewerStage) -> [String] {
      stage.screen[stage.viewer.layout.pane].compactMap { $0.first.map(String.init) }
        .filter { "ab".contains($0) }
    }
    #expect(stage.shows(.summary, "MED LIFE  95% LIFE  MAX LIFE"))
    #expect(lanes(stage) == ["a", "b"])
    stage.type("X")
    #expect(stage.footer == "sorted by MAX LIFE")
    #expect(lanes(stage) == ["b", "a"])
    #expect(stage.shows(.summary, "MAX LIFE▾"))
    stage.type("X")
    #expect(lanes(stage) == ["a", "b"])
    // Letters without a column, and those of other panes, keep their meaning.
    stage.type("1X")
    #expect(stage.footer.hasPrefix("Export only"))
  }

  @Test("Sorting skips the column with the start of the longest gap, which has no order")
  func sorting() throws {
    var stage = try ViewerStage(Self.gaps, columns: 120, typing: "5")
    var seen: [String] = []
    repeat {
      stage.type("S")
      seen.append(stage.footer)
    } while stage.footer != "sorted by the order of the timeline" && seen.count < 20
    #expect(seen.suffix(2).first == "sorted by MAX GAP")
  }
}
