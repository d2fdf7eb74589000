import TestSupport
import Testing

@testable import InteractiveView
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("TimelineRows, RowPacking and Population")
struct TimelineRowsTests {
  /// Returns a log of subscriptions of one lane that begin and end at random. Some never end.
  private func log(_ count: Int, _ random: inout FixedNumbers) throws -> LogAnalysis {
    var lines: [(time: Int, line: String)] = []
    for id in 1...count {
      let start = Int.random(in: 0..<100, using: &random)
      lines.append((start, SampleLog.subscribe(id, "a", at: start)))
      guard Int.random(in: 0..<5, using: &random) > 0 else { continue }
      let end = start + Int.random(in: 0..<40, using: &random)
      let kind = ["completed", "failed", "disposed"].randomElement(using: &random) ?? ""
      lines.append((end, SampleLog.end(kind, id, "a", at: end)))
    }
    let sorted = lines.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    return try ViewerStage.snapshot(SampleLog.make(sorted.map(\.element.line), end: 200)).analysis
  }

  @Test("Every subscription is in exactly one row without overlaps, or in the overflow")
  func rows() throws {
    var random = FixedNumbers(seed: 1)
    for _ in 0..<60 {
      let log = try log(Int.random(in: 1...14, using: &random), &random)
      let spans = LifeSpans(log)
      let members = spans.inOrder(MemberList(all: log.lifecycles.count))
      for maxCount in [1, 2, 4] {
        let packing = LaneLayout(
          MemberList(members.shuffled(using: &random)), in: log, rows: maxCount)
        #expect(packing.members == members)
        #expect(packing.rows.count <= maxCount)
        #expect((packing.rows.flatMap { $0 } + packing.overflow).sorted() == members.sorted())
        for row in packing.rows {
          #expect(!row.isEmpty)
          for (first, second) in zip(row, row.dropFirst()) {
            #expect(spans[first].last <= spans[second].start)
          }
        }
        // Active subscriptions get rows first.
        let active = members.filter { spans[$0].isUnexpectedlyActive }
        let left = packing.overflow.filter { spans[$0].isUnexpectedlyActive }
        #expect(left.count == max(0, active.count - maxCount))
      }
    }
  }

  @Test("The counts of a population match a plain loop over live subscriptions")
  func population() throws {
    var random = FixedNumbers(seed: 2)
    for _ in 0..<40 {
      let log = try log(Int.random(in: 1...12, using: &random), &random)
      let spans = LifeSpans(log)
      let members = spans.inOrder(MemberList(all: log.lifecycles.count))
      let population = log.population(of: members)
      let ends = members.filter { spans[$0].state != .active }.map { spans[$0].last }
      for time in stride(from: UInt64(0), through: 210, by: 3).map(Nanoseconds.init) {
        let alive = members.count {
          spans[$0].start <= time && (spans[$0].state == .active || spans[$0].last > time)
        }
        #expect(population.alive(at: time) == alive)
        #expect(population.nextEnd(after: time) == ends.filter { $0 > time }.min())
        let end = time.after(7)
        #expect(
          population.hasFailure(from: time, before: end)
            == members.contains {
              spans[$0].state == .failed && spans[$0].last >= time && spans[$0].last < end
            })
        let isAny = members.contains {
          spans[$0].start < end && (spans[$0].state == .active || spans[$0].last >= time)
        }
        let beginsAtEnd = members.contains { spans[$0].start == end }
        #expect((population.maxAlive(from: time, before: end) > 0) == isAny || beginsAtEnd)
      }
    }
  }

  @Test("Every subscription has a line in the outline, folded or not")
  func items() throws {
    for text in [SampleLog.leak, StageLogs.origins, StageLogs.lanes(9), try StageLogs.search()] {
      let viewed = try ViewerStage(text).viewer.viewed
      for index in viewed.log.lifecycles.indices {
        let item = try #require(viewed.outline.item(of: index))
        let lane = viewed.outline.lanes[item.lane]
        #expect((item.row < lane.rows.count ? lane.rows[item.row] : lane.overflow).contains(index))
        #expect(viewed.outline.items(folded: []).contains(item))
      }
      #expect(viewed.outline.item(of: viewed.log.lifecycles.count) == nil)
      let keys = viewed.outline.lanes.map(\.key)
      #expect(Set(keys).count == keys.count)
      let folded = viewed.outline.items(folded: Set(keys))
      #expect(
        folded.map(\.lane)
          == viewed.outline.lanes.indices.filter { viewed.outline.lanes[$0].depth == 0 })
    }
  }
}
