import TestSupport
import Testing

@testable import InteractiveView
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerConsole

@Suite("Hills of BarPainter")
struct HillTests {
  private func compare(_ log: RandomLog, _ viewer: Viewer, columns: Int) {
    let scale = viewer.timeline.window.scale(columns: columns)
    let painter = BarPainter(viewer, scale)
    let naive = NaivePainter(log: log, viewer: viewer, scale: scale)
    let glyphs = viewer.page.glyphs
    for (number, lane) in viewer.outline.lanes.enumerated() {
      let below = viewer.outline.lanes[(number + 1)...].prefix { $0.depth > lane.depth }
      let all = naive.counts([lane] + below)
      for (isFolded, alive) in [(true, all), (false, naive.alive(lane.overflow))] {
        let maxCount = max(1, alive.max() ?? 1)
        let members =
          isFolded ? Array(lane.members) + below.flatMap(\.members) : Array(lane.overflow)
        let failures = naive.failures(members)
        let painted = painter.hill(lane, isFolded: isFolded).map(\.text)
        let expected = alive.enumerated().map { column, count in
          if failures.contains(column) { return glyphs.failed }
          return count == 0 ? " " : glyphs.density[(count * glyphs.density.count - 1) / maxCount]
        }
        #expect(painted == expected, "\(viewer.timeline.window) of \(lane.name) in \(columns)")
      }
    }
  }

  @Test(
    "The height of a hill is the number of live subscriptions",
    arguments: 0..<(TestLength.isLong ? 30 : 9))
  func heights(seed: Int) throws {
    var random = FixedNumbers(seed: UInt64(seed) + 1000)
    // Columns are much longer than the distance between two times, so no time falls on a border.
    let end: UInt64 = 90_000_000_000
    let log = RandomLog(
      &random, lives: 120, lanes: 3, times: 0...end, longest: end / [2, 8, 40][seed % 3])
    var viewer = try BarPainterTests.viewer(log, start: 0, duration: end + end / 50)
    compare(log, viewer, columns: 55)
    for _ in 0..<4 {
      viewer.timeline.show(
        VisibleRange(
          start: Nanoseconds(.random(in: 0...end, using: &random)),
          duration: .random(in: end / 100...end, using: &random)))
      compare(log, viewer, columns: Int.random(in: 5...200, using: &random))
    }
  }

  @Test("A failure in a hill is in the same column as in a bar")
  func failures() throws {
    var wrong: [UInt64] = []
    for time in UInt64(0)..<100 {
      let life = RandomLog.Life(id: 1, lane: "a", start: 0, end: (time, "failed"))
      let viewer = try BarPainterTests.viewer(RandomLog([life], last: 200), start: 0, duration: 100)
      let painter = BarPainter(viewer, viewer.timeline.window.scale(columns: 53))
      let hill = painter.hill(viewer.outline.lanes[0], isFolded: true).map(\.text)
      let bars = painter.bars([0]).map(\.text)
      if hill.firstIndex(of: "✗") != bars.firstIndex(of: "✗") { wrong.append(time) }
    }
    #expect(wrong.isEmpty)
  }

  @Test("A hill begins in the same column as a bar")
  func beginnings() throws {
    var wrong: [UInt64] = []
    for time in UInt64(0)..<100 {
      let life = RandomLog.Life(id: 1, lane: "a", start: time)
      let viewer = try BarPainterTests.viewer(RandomLog([life], last: 200), start: 0, duration: 100)
      let painter = BarPainter(viewer, viewer.timeline.window.scale(columns: 50))
      let hill = painter.hill(viewer.outline.lanes[0], isFolded: true).map(\.text)
      let bars = painter.bars([0]).map(\.text)
      if hill.firstIndex(where: { $0 != " " }) != bars.firstIndex(where: { $0 != " " }) {
        wrong.append(time)
      }
    }
    #expect(wrong.isEmpty)
  }

  @Test("A hill of a log that ends at the maximum time is painted")
  func late() throws {
    let lives = (1...9).map { RandomLog.Life(id: $0, lane: "a", start: UInt64($0)) }
    let viewer = try BarPainterTests.viewer(RandomLog(lives, last: .max), start: 0, duration: .max)
    let painter = BarPainter(viewer, viewer.timeline.window.scale(columns: 50))
    let hill = painter.hill(viewer.outline.lanes[0], isFolded: true).map(\.text)
    #expect(hill == Array(repeating: "█", count: 50))
  }
}

extension NaivePainter {
  /// Returns the sum of the counts of several lanes.
  fileprivate func counts(_ lanes: [TimelineRows.Lane]) -> [Int] {
    lanes.map { alive($0.members) }.reduce(Array(repeating: 0, count: scale.columns)) {
      zip($0, $1).map(+)
    }
  }
}
