import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Timeline")
struct TimelineTests {
  @Test(
    "Ticks are at round times",
    arguments: [
      (1_000_000_000, 80, [0, 200_000_000, 400_000_000, 600_000_000, 800_000_000, 1_000_000_000]),
      (7, 80, [0, 1, 2, 3, 4, 5, 6, 7]),
      (180_000_000_000, 40, [0, 60_000_000_000, 120_000_000_000, 180_000_000_000]),
      (0, 40, [0]),
      (1_000_000_000, 10, [0, 1_000_000_000]),
    ] as [(UInt64, Int, [UInt64])])
  func ticks(duration: UInt64, columns: Int, expected: [UInt64]) {
    let scale = TimeScale(duration: Nanoseconds(duration), columns: columns)
    #expect(scale.ticks(gap: 10).map(\.time.count) == expected)
  }

  @Test(
    "Every time has a column",
    arguments: [0, 1, 1000, UInt64.max])
  func columns(duration: UInt64) {
    let scale = TimeScale(duration: Nanoseconds(duration), columns: 10)
    for time in [0, 1, duration / 2, duration, .max] {
      #expect((0..<10).contains(scale.column(of: Nanoseconds(time))))
    }
    #expect(!scale.ticks(gap: 5).isEmpty)
  }

  @Test("Packing puts disjoint ranges in one row and folds the ranges with the lowest precedence")
  func packing() {
    func packing(
      _ ranges: [Range<UInt64>], rows: Int, precedence: [Int] = []
    ) -> RowPacking {
      RowPacking(
        Array(ranges.indices), rows: rows, bounds: { ranges[$0] }, precedence: { _ in precedence })
    }
    let easy = packing([0..<3, 1..<5, 3..<6], rows: 2)
    #expect(easy.rows == [[0, 2], [1]])
    #expect(easy.overflow.isEmpty)
    let crowded = packing([0..<10, 0..<4, 5..<7, 5..<6], rows: 1, precedence: [2, 3, 0, 1])
    #expect(crowded.rows == [[1, 2]])
    #expect(crowded.overflow == [0, 3])
  }

  @Test("A bar can start where another one ends, even if it has no length")
  func touching() {
    let ranges: [Range<UInt64>] = [0..<5, 3..<5, 5..<5, 5..<9]
    let packing = RowPacking(
      Array(ranges.indices), rows: 1, bounds: { ranges[$0] }, precedence: { $0.reversed() })
    #expect(packing.rows == [[1, 2, 3]])
    #expect(packing.overflow == [0])
  }

  @Test("A timeline counts the elements of each cell")
  func elements() throws {
    let file = LogSource(
      name: "x",
      bytes: Array(
        SampleLog.make(
          [
            SampleLog.subscribe(1, "a", at: 0), SampleLog.next(1, "a", at: 15, "x"),
            SampleLog.next(1, "a", at: 19, "y"), SampleLog.next(1, "a", at: 90, "z"),
          ], end: 100
        ).utf8))
    let log = try LogAnalysis.read(file)
    let timeline = try Timeline(
      LogExcerpt(log), LaneSelection(LogExcerpt(log), limit: 9), suspects: [], columns: 10)
    #expect(timeline.lanes.map(\.name) == ["a"])
    #expect(timeline.lanes[0].rows[0].elements == [0, 2, 0, 0, 0, 0, 0, 0, 0, 1])
    #expect(timeline.lanes[0].rows[0].bars.map(\.columns) == [0...9])
  }

  @Test("Folded subscriptions are counted by how many are alive simultaneously")
  func alternating() throws {
    let lines = (0..<1000).flatMap { id in
      [
        SampleLog.subscribe(id + 1, "a", at: id * 100),
        SampleLog.end("disposed", id + 1, "a", at: id * 100 + 90),
      ]
    }
    let file = LogSource(name: "x", bytes: Array(SampleLog.make(lines, end: 100_000).utf8))
    let excerpt = LogExcerpt(try LogAnalysis.read(file))
    let timeline = try Timeline(
      excerpt, LaneSelection(excerpt, limit: 9), suspects: [], columns: 20)
    #expect((timeline.lanes[0].folded?.count ?? 0) > 900)
    #expect(timeline.lanes[0].folded?.alive.allSatisfy { $0 == 1 } == true)
  }

  @Test("A lane selection takes the first lanes of a ranking")
  func ranking() throws {
    let lines = (1...5).map { SampleLog.subscribe($0, "lane \($0)", at: $0, line: $0) }
    let excerpt = LogExcerpt(try analyze(SampleLog.make(lines)))
    let selection = LaneSelection(excerpt, limit: 2, ranking: ["lane 4", "lane 2", "lane 1"])
    #expect(selection.nodes.map(\.lane) == ["lane 2", "lane 4"])
    #expect(selection.hiddenLanes == 3)
  }

  @Test("Ten thousand subscriptions of a lane are folded into a few rows and a count")
  func manySubscriptions() throws {
    let lines = (1...10_000).flatMap { id in
      [
        SampleLog.subscribe(id, "a", at: id * 10),
        SampleLog.end(id == 77 ? "failed" : "disposed", id, "a", at: id * 10 + 5000),
      ]
    }
    let file = LogSource(name: "x", bytes: Array(SampleLog.make(lines, end: 200_000).utf8))
    let log = try LogAnalysis.read(file)
    let timeline = try Timeline(
      LogExcerpt(log), LaneSelection(LogExcerpt(log), limit: 9), suspects: [], columns: 80)
    #expect(timeline.lanes.count == 1)
    let lane = timeline.lanes[0]
    #expect(lane.rows.count == 4)
    #expect(lane.rows.contains { $0.bars.contains { $0.state == .failed } })
    #expect((lane.folded?.count ?? 0) + lane.rows.reduce(0) { $0 + $1.bars.count } == 10_000)
    #expect((lane.folded?.alive.max() ?? 0) > 400)
    #expect(lane.folded?.alive.last == 0)
  }
}
