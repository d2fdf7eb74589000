import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("TimeRange")
struct TimeRangeTests {
  private func time(_ count: UInt64) -> Nanoseconds { Nanoseconds(count) }

  @Test("A time range contains its end only if the end is inclusive")
  func end() {
    let closed = TimeRange(from: time(3), through: time(7))
    let open = TimeRange(from: time(3), before: time(7))
    #expect((0..<10).filter { closed.contains(time($0)) } == [3, 4, 5, 6, 7])
    #expect((0..<10).filter { open.contains(time($0)) } == [3, 4, 5, 6])
    #expect((0..<10).filter { closed.endsBefore(time($0)) } == [8, 9])
    #expect((0..<10).filter { open.endsBefore(time($0)) } == [7, 8, 9])
    #expect(closed.duration == open.duration && closed != open)
  }

  @Test("A time range overlaps a period that touches it, except at an excluded end")
  func overlaps() {
    let closed = TimeRange(from: time(3), through: time(7))
    let open = TimeRange(from: time(3), before: time(7))
    #expect(closed.overlaps(time(7), time(9)) && !open.overlaps(time(7), time(9)))
    for range in [closed, open] {
      #expect(range.overlaps(time(0), time(3)) && range.overlaps(time(0), time(9)))
      #expect(!range.overlaps(time(0), time(2)) && !range.overlaps(time(8), time(9)))
      #expect(range.overlaps(nil, nil) && range.overlaps(nil, time(3)))
      #expect(range.overlaps(time(6), nil) && !range.overlaps(time(8), nil))
      #expect(!range.overlaps(nil, time(2)))
    }
  }

  @Test("A time range can be a moment or all of time, but never ends before it begins")
  func limits() {
    let moment = TimeRange(from: time(5), through: time(5))
    #expect(moment.contains(time(5)) && moment.duration == .zero)
    #expect(!TimeRange(from: time(5), before: time(5)).contains(time(5)))
    #expect(TimeRange(from: time(5), through: time(2)) == moment)
    #expect(TimeRange.always.contains(.zero) && TimeRange.always.contains(time(.max)))
    #expect(!TimeRange.always.hasEnd && moment.hasEnd)
    #expect(!TimeRange(from: .zero, before: time(.max)).contains(time(.max)))
  }

  @Test("A time scale keeps its range and whether the end is included")
  func scale() {
    for range in [
      TimeRange(from: time(10), through: time(20)), TimeRange(from: time(10), before: time(20)),
      .always,
    ] {
      let scale = TimeScale(range, columns: 5)
      #expect(scale.times == range && scale.includesEnd == range.includesEnd)
    }
  }
}
