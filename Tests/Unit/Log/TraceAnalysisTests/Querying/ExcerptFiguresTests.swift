import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

/// Tests of the numbers in a time range.
@Suite("Figures of a time range")
struct ExcerptFiguresTests {
  private static let second = 1_000_000_000

  /// Subscription 1 lives from 1 s on with seven elements, two of them between 4 and 5 s.
  /// Subscription 2 begins and ends in between. Subscription 3 ends at 5.5 s, and subscription 4 at
  /// 2 s.
  private static let log = SampleLog.make(
    [SampleLog.subscribe(1, "ticks", at: second), SampleLog.subscribe(4, "ticks", at: second)]
      + [SampleLog.end("disposed", 4, "ticks", at: 2 * second)]
      + [15, 20, 25, 42].map { SampleLog.next(1, "ticks", at: $0 * second / 10, "x") }
      + [
        SampleLog.subscribe(2, "ticks", at: 43 * second / 10),
        SampleLog.subscribe(3, "ticks", at: 44 * second / 10),
        SampleLog.next(1, "ticks", at: 45 * second / 10, "x"),
        SampleLog.end("completed", 2, "ticks", at: 48 * second / 10),
        SampleLog.next(1, "ticks", at: 52 * second / 10, "x"),
        SampleLog.end("failed", 3, "ticks", at: 55 * second / 10),
        SampleLog.next(1, "ticks", at: 56 * second / 10, "x"),
      ])

  private func summary(from: Int?, to: Int?) throws -> LaneSummary {
    let log = try analyze(Self.log)
    var filter = LogFilter()
    filter.times = TimeRange(
      from: from.map { Nanoseconds(UInt64($0 * Self.second)) } ?? .zero,
      through: to.map { Nanoseconds(UInt64($0 * Self.second)) } ?? Nanoseconds(.max))
    let figures = try ExcerptFigures(filter.excerpt(of: log))
    return try #require(LaneSummary.lanes(of: figures).first)
  }

  @Test("Figures count beginnings, ends and elements in a range, and what is active at its end")
  func window() throws {
    let lane = try summary(from: 4, to: 5)
    #expect(lane.subscriptions == 3)
    #expect(lane.started == 2)
    #expect(lane.elements == 2)
    #expect(lane[.completed] == 1)
    #expect(lane[.failed] == 0)
    #expect(lane[.disposed] == 0)
    #expect(lane[.active] == 2)
    #expect(lane.lives?.longest == Nanoseconds(500_000_000))
  }

  @Test("Figures of all of time cover whole lifetimes")
  func whole() throws {
    let lane = try summary(from: nil, to: nil)
    #expect(lane.subscriptions == 4)
    #expect(lane.started == 4)
    #expect(lane.elements == 7)
    #expect(lane[.active] == 1)
    #expect(lane[.failed] == 1)
  }

  @Test("Figures of consecutive ranges add up to the whole")
  func sum() throws {
    let log = try analyze(Self.log)
    let end = log.duration.count
    let cuts: [UInt64] = [0, 1_300_000_000, 4_450_000_000, 5_000_000_000, end]
    var (elements, started, ended) = (0, 0, 0)
    for (first, next) in zip(cuts, cuts.dropFirst()) {
      var filter = LogFilter()
      filter.times = TimeRange(
        from: Nanoseconds(first == 0 ? 0 : first + 1), through: Nanoseconds(next))
      let figures = try ExcerptFigures(filter.excerpt(of: log))
      let total = LaneSummary.total(of: figures, name: "")
      elements += total.elements
      started += total.started
      ended += total[.completed] + total[.failed] + total[.disposed]
    }
    #expect((elements, started, ended) == (7, 4, 3))
  }
}
