import TestSupport
import Testing

@testable import InteractiveView
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("BarPainter")
struct BarPainterTests {
  /// Returns a viewer that shows a part of a log.
  static func viewer(_ log: RandomLog, start: UInt64, duration: UInt64) throws -> Viewer {
    var viewer = try ViewerStage(log.text).viewer
    #expect(viewer.log.lifecycles.count == log.lives.count)
    viewer.timeline.show(VisibleRange(start: Nanoseconds(start), duration: duration))
    return viewer
  }

  private func compare(_ log: RandomLog, _ viewer: Viewer, columns: Int) {
    let scale = viewer.timeline.window.scale(columns: columns)
    let painter = BarPainter(viewer, scale)
    let naive = NaivePainter(log: log, viewer: viewer, scale: scale)
    for lane in viewer.outline.lanes {
      for row in lane.rows {
        let painted = painter.bars(row).map(\.text)
        let expected = naive.bars(row)
        let wrong = painted.indices.filter { !expected[$0].contains(painted[$0]) }
        #expect(
          painted.count == columns && wrong.isEmpty,
          "\(viewer.timeline.window) of \(lane.name): columns \(wrong) of \(painted.joined())")
      }
    }
  }

  @Test(
    "Bars match a naive painter's bars in any window",
    arguments: 0..<(TestLength.isLong ? 72 : 9))
  func windows(seed: Int) throws {
    var random = FixedNumbers(seed: UInt64(seed))
    let end: UInt64 = [2_000, 3_000_000, 90_000_000_000][seed % 3]
    let log = RandomLog(
      &random, lives: 60, lanes: 12, times: 0...end, longest: end / [1, 6, 30][seed / 3 % 3])
    var viewer = try Self.viewer(log, start: 0, duration: end + end / 50)
    compare(log, viewer, columns: 55)
    for _ in 0..<6 {
      let start = UInt64.random(in: 0...end, using: &random)
      let shift = UInt64.random(in: 0...5, using: &random)
      var duration = max(1, UInt64.random(in: 60...end, using: &random) >> shift)
      // Another test covers elements at the end of the window.
      while log.lives.contains(where: { $0.elements.contains(start + duration) }) { duration += 1 }
      viewer.timeline.show(VisibleRange(start: Nanoseconds(start), duration: duration))
      compare(log, viewer, columns: Int.random(in: 5...200, using: &random))
    }
  }

  @Test("Subscriptions in a row never overlap", arguments: 0..<20)
  func rows(seed: Int) throws {
    var random = FixedNumbers(seed: UInt64(seed))
    let log = RandomLog(&random, lives: 80, lanes: 5, times: 0...1_000_000, longest: 300_000)
    let viewer = try Self.viewer(log, start: 0, duration: 1_000_000)
    var found: [Int] = []
    for lane in viewer.outline.lanes {
      #expect(lane.rows.count <= TimelineRows.maxRows)
      #expect((lane.rows.flatMap { $0 } + lane.overflow).sorted() == lane.members.sorted())
      found += lane.members
      for row in lane.rows {
        let lives = log.lives(of: row, in: viewer.log)
        for (first, second) in zip(lives, lives.dropFirst()) {
          #expect(first.end.map { $0.time <= second.start } ?? false)
        }
      }
    }
    #expect(found.sorted() == Array(log.lives.indices))
  }

  @Test("A subscription outside the window isn't painted")
  func beyond() throws {
    let life = RandomLog.Life(
      id: 1, lane: "a", start: 1000, end: (2000, "completed"), elements: [1500])
    let log = RandomLog([life], last: 10_000)
    for (start, duration): (UInt64, UInt64) in [
      (0, 1000), (2001, 500), (50_000, 10), (.max - 10, 10), (.max, 1), (9_000, .max),
    ] {
      let viewer = try Self.viewer(log, start: start, duration: duration)
      let cells = BarPainter(viewer, viewer.timeline.window.scale(columns: 40)).bars([0])
      #expect(cells.map(\.text).joined() == String(repeating: " ", count: 40))
    }
    // Only the last and the first moment of the subscription are visible.
    var viewer = try Self.viewer(log, start: 2000, duration: 500)
    #expect(BarPainter(viewer, viewer.timeline.window.scale(columns: 4)).bars([0])[0].text == "✓")
    viewer.timeline.show(VisibleRange(start: .zero, duration: 1001))
    #expect(BarPainter(viewer, viewer.timeline.window.scale(columns: 4)).bars([0])[3].text == "├")
  }

  @Test("An element at the end of the window isn't counted")
  func elementAtEnd() throws {
    let life = RandomLog.Life(
      id: 1, lane: "a", start: 0, end: (5000, "completed"), elements: [1000])
    let viewer = try Self.viewer(RandomLog([life], last: 10_000), start: 0, duration: 1000)
    let cells = BarPainter(viewer, viewer.timeline.window.scale(columns: 10)).bars([0])
    #expect(cells[9].text == "─")
  }

  @Test("Each nanosecond has its own column at the maximum zoom")
  func nanoseconds() throws {
    let base: UInt64 = 1_000_000_000_000
    var wrong: [Int] = []
    for columns in 10...200 {
      let scale = TimeScale(
        start: Nanoseconds(base), duration: Nanoseconds(UInt64(columns)), columns: columns)
      let found = (0..<columns).map { scale.column(of: Nanoseconds(base + UInt64($0))) }
      if found != Array(0..<columns) { wrong.append(columns) }
    }
    #expect(wrong.isEmpty)
  }

  @Test("Subscriptions of a few nanoseconds are painted separately")
  func short() throws {
    let base: UInt64 = 7_000_000_000
    let lives = (0..<8).map { number in
      let start = base + UInt64(number) * 8
      return RandomLog.Life(
        id: number + 1, lane: "a", start: start, end: (start + 6, "completed"),
        elements: [start + 3])
    }
    let viewer = try Self.viewer(RandomLog(lives, last: base * 2), start: base, duration: 64)
    let cells = BarPainter(viewer, viewer.timeline.window.scale(columns: 64)).bars(
      MemberList(0..<8))
    #expect(cells.map(\.text).joined() == String(repeating: "├──•──✓ ", count: 8))
  }

  @Test("A subscription without duration is painted")
  func zeroLength() throws {
    let lives = ["completed", "failed", "disposed", "released"].enumerated().map { number, event in
      let time = UInt64(number) * 100 + 50
      return RandomLog.Life(id: number + 1, lane: "a", start: time, end: (time, event))
    }
    let viewer = try Self.viewer(RandomLog(lives, last: 1000), start: 0, duration: 400)
    let cells = BarPainter(viewer, viewer.timeline.window.scale(columns: 8)).bars(MemberList(0..<4))
    #expect(cells.map(\.text).joined() == " ✓ ✗ ■ ○")
  }

  @Test(
    "Bars near the maximum time match a naive painter's bars",
    arguments: [UInt64(1) << 63, UInt64.max - 1000, UInt64.max - 200])
  func late(middle: UInt64) throws {
    var random = FixedNumbers(seed: middle)
    let log = RandomLog(
      &random, lives: 12, lanes: 3, times: middle - 100...middle + 100, longest: 40)
    var viewer = try Self.viewer(log, start: middle - 110, duration: 250)
    compare(log, viewer, columns: 50)
    viewer.timeline.show(VisibleRange(start: Nanoseconds(middle - 40), duration: 64))
    compare(log, viewer, columns: 64)
    viewer.timeline.show(VisibleRange(start: .zero, duration: .max))
    compare(log, viewer, columns: 50)
  }
}
