import TestSupport
import Testing

@testable import InteractiveView
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("The counts of the overview")
struct ActivityOverviewTests {
  private func viewed(_ text: String, _ filter: String = "") throws -> ViewedLog {
    var arrangement = Arrangement()
    arrangement.filter = try ViewFilter(filter)
    return ViewedLog(try ViewerStage.snapshot(text), RuleSettings(), arrangement)
  }

  @Test(
    "Each column has the events of its times, and no moment has more than the busiest",
    arguments: ["", "lane:\"lane 1\"", "alive:40%"])
  func events(filter: String) throws {
    var random = FixedNumbers(seed: 3)
    for last: UInt64 in [7, 300, 98_765, 20_000_000_000, 5_000_000_000_000] {
      let log = RandomLog(&random, lives: 40, lanes: 3, times: 0...last, longest: last)
      let viewed = try viewed(log.text, filter)
      let members = viewed.excerpt.members
      let scale = VisibleRange.all(of: viewed.log).scale(columns: 73)
      let parts = viewed.overview.parts(over: scale)
      // A period belongs to the column in which it begins.
      let period = viewed.overview.period
      func column(_ time: Nanoseconds) -> Int {
        scale.column(of: Nanoseconds(time.count / period * period))
      }
      var expected = [Int](repeating: 0, count: 73)
      var periods: [UInt64] = []
      for life in log.lives {
        let id = try #require(SubscriptionID(UInt64(life.id)))
        guard let index = viewed.log.index(of: id), members.contains(index) else { continue }
        let times = [life.start] + life.elements + (life.end.map { [$0.time] } ?? [])
        for time in times { expected[column(Nanoseconds(time))] += 1 }
        periods += times.map { $0 / period * period }
      }
      #expect(parts.map(\.events) == expected, "\(last)")
      #expect(viewed.overview.events == expected.reduce(0, +))
      let busiest = try #require(viewed.overview.busiest)
      func events(from start: UInt64) -> Int {
        periods.count { start..<start + busiest.duration ~= $0 }
      }
      #expect(busiest.events == periods.map(events).max())
      #expect(busiest.events == events(from: busiest.start.count))
    }
  }

  @Test("A column has the subscriptions that are alive in it, and failures")
  func alive() throws {
    let viewed = try viewed(SampleLog.leak)
    let scale = VisibleRange.all(of: viewed.log).scale(columns: 102)
    let parts = viewed.overview.parts(over: scale)
    #expect(parts[5].alive == 1)
    #expect(parts[15].alive == 2)
    #expect(parts[50].alive == 4)
    #expect(parts[95].alive == 2)
    #expect(parts.indices.filter { parts[$0].hasFailure } == [60])
  }

  @Test("Empty logs have an overview without counts")
  func empty() throws {
    let overview = ViewedLog.empty.overview
    #expect(overview.busiest == nil)
    #expect(overview.longest == nil)
    let parts = overview.parts(over: TimeScale(duration: .zero, columns: 3))
    #expect(parts.allSatisfy { $0 == .init() })
  }

  @Test("The longest life is that of a shown subscription")
  func longest() throws {
    #expect(try viewed(SampleLog.leak).overview.longest == 0)
    #expect(try viewed(SampleLog.leak, "lane:request").overview.longest == 2)
    #expect(try viewed(SampleLog.leak, "lane:nowhere").overview.longest == nil)
  }
}
