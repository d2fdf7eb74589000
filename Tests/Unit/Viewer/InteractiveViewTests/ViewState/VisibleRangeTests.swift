import TestSupport
import Testing

@testable import InteractiveView
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerConsole

@Suite("VisibleRange and marks")
struct VisibleRangeTests {
  private func visible(_ start: UInt64, _ duration: UInt64) -> VisibleRange {
    VisibleRange(start: Nanoseconds(start), duration: duration)
  }

  private func times(_ start: UInt64, _ duration: UInt64) -> TimeRange {
    TimeRange(from: Nanoseconds(start), through: Nanoseconds(start).after(duration))
  }

  @Test("Zooming stays within limits and keeps a time in its column")
  func zoom() {
    var window = visible(0, 1_000)
    window.zoom(by: 0.5, at: Nanoseconds(500), minDuration: 10, maxDuration: 1_000)
    #expect(window == visible(250, 500))
    window.zoom(by: 0.001, at: Nanoseconds(500), minDuration: 10, maxDuration: 1_000)
    #expect(window == visible(495, 10))
    window.zoom(by: 2_000, at: Nanoseconds(500), minDuration: 10, maxDuration: 1_000)
    #expect(window.duration == 1_000)
    // The minimum takes precedence if a log is shorter than a screen is wide.
    window.zoom(by: 0.5, at: .zero, minDuration: 70, maxDuration: 5)
    #expect(window.duration == 70)
  }

  @Test("A range can cover all of time")
  func endOfTime() {
    var window = visible(0, .max)
    window.zoom(by: 2, at: Nanoseconds(.max), minDuration: 1, maxDuration: .max)
    window.pan(by: 1, within: Nanoseconds(.max))
    window.pan(by: -1, within: Nanoseconds(.max))
    #expect(window.duration >= 1)
  }

  @Test("Panning stays within the log")
  func pan() {
    var window = visible(0, 100)
    window.pan(by: 0.25, within: Nanoseconds(1_000))
    #expect(window.start.count == 25)
    window.pan(by: -5, within: Nanoseconds(1_000))
    #expect(window.start == .zero)
    window.pan(by: 50, within: Nanoseconds(1_000))
    #expect(window.start.count == 1_000)
    var small = visible(5, 1)
    small.pan(by: 0.25, within: Nanoseconds(10))
    #expect(small.start.count == 6)
  }

  @Test(
    "Revealing a time moves the range as little as needed",
    arguments: [0, 7, 99, 100, 450, 5_000] as [UInt64])
  func reveal(time: UInt64) {
    var window = visible(100, 80)
    window.reveal(Nanoseconds(time))
    #expect(window.contains(Nanoseconds(time)))
    #expect(window.duration == 80)
    #expect(visible(100, 80).contains(Nanoseconds(100)))
  }

  @Test(
    "A range that is shorter than its margin can reveal a time",
    arguments: [0, 7, 99] as [UInt64])
  func revealInLittle(time: UInt64) {
    for duration in 1...9 as ClosedRange<UInt64> {
      var window = visible(3, duration)
      window.reveal(Nanoseconds(time))
      #expect(window.contains(Nanoseconds(time)))
    }
  }

  @Test("The range of a whole log has room after its end")
  func all() throws {
    let log = try ViewerStage.snapshot(SampleLog.leak).analysis
    #expect(VisibleRange.all(of: log) == visible(0, 1_020_000_000))
    let long = try ViewerStage.snapshot(
      SampleLog.make([SampleLog.subscribe(1, "a", at: 0)]).split(separator: "\n").dropLast()
        .joined(separator: "\n") + "\n"
        + #"{"t":18446744073709551000,"event":"completed","sub":1,"lane":"a","thread":1}"# + "\n"
    ).analysis
    #expect(VisibleRange.all(of: long).duration >= long.duration.count)
    #expect(VisibleRange.all(of: LogSnapshot.empty.analysis).duration == 1)
  }

  @Test("The range around an interval is never shorter than the interval")
  func around() {
    #expect(VisibleRange.around(times(100, 100)) == visible(95, 110))
    #expect(VisibleRange.around(times(0, 1)) == visible(0, 3))
    #expect(VisibleRange.around(times(0, .max)).duration == .max)
  }

  @Test("Two marks can be set in either order")
  func marks() {
    var marks = TimeMarks()
    #expect(marks.turn() == nil)
    marks.add(Nanoseconds(9))
    #expect(marks.between == nil)
    #expect(marks.turn()?.count == 9)
    marks.add(Nanoseconds(4))
    #expect(marks.between == times(4, 5))
    #expect((0..<3).map { _ in marks.turn()?.count } == [9, 4, 9])
    marks.add(Nanoseconds(4))
    #expect(marks.between == nil)
    marks.set(Nanoseconds(8), Nanoseconds(2))
    #expect(marks.between == times(2, 6))
    marks.clear()
    #expect(marks.turn() == nil)
  }
}

@Suite("TypedTime")
struct TypedTimeTests {
  private let duration = DurationText(isASCII: true)

  /// The log starts at 23:48:50.123456789 UTC and lasts a second.
  private func time(_ text: String, from cursor: UInt64 = 0) throws -> TypedTime? {
    TypedTime(
      text, in: try ViewerStage.snapshot(SampleLog.leak).analysis, from: Nanoseconds(cursor),
      duration)
  }

  @Test("A time may be a part of the log, or a distance from the cursor")
  func relative() throws {
    #expect(try time("60%") == .time(Nanoseconds(600_000_000)))
    #expect(try time("12.5%") == .time(Nanoseconds(125_000_000)))
    #expect(try time("101%") == .problem("Type a part of the log from 0% to 100%."))
    #expect(try time("+50ms", from: 300_000_000) == .time(Nanoseconds(350_000_000)))
    #expect(try time("-50ms", from: 300_000_000) == .time(Nanoseconds(250_000_000)))
    #expect(try time("+1s", from: 1) == .problem("The log ends at 1 s."))
    let early = TypedTime.problem("The cursor is only 20 ms after the start of the log.")
    #expect(try time("-50ms", from: 20_000_000) == early)
  }

  @Test(
    "A time is one since the start of the log, or a time of day in UTC",
    arguments: [
      ("1s", 1_000_000_000), ("350ms", 350_000_000), ("0.2", 200_000_000), ("0", 0),
      ("23:48:51", 876_543_211), ("23:48:50", 0), ("23:48:50.523456789", 400_000_000),
      ("23:48:51.1", 976_543_211),
    ] as [(String, UInt64)])
  func times(text: String, nanoseconds: UInt64) throws {
    let started = try ViewerStage.snapshot(SampleLog.leak).analysis.header?.started
    #expect(started?.hasPrefix("2026-11-20T23:48:50.123") == true)
    #expect(try time(text) == .time(Nanoseconds(nanoseconds)))
  }

  @Test("A time that the log does not have is explained")
  func problems() throws {
    #expect(try time("3s") == .problem("The log ends at 1 s."))
    let range = TypedTime.problem("The log runs from 23:48:50 to 23:48:51 UTC.")
    #expect(try time("23:48") == range)
    #expect(try time("00:00:10") == range)
    let empty = TypedTime("12:01", in: .empty, duration)
    #expect(empty == .problem("The log does not say at which time of day it started."))
  }

  @Test(
    "Other text isn't a time",
    arguments: [
      "", "settings", "25:00", "12:60", "1:2:3:4", "12:01:60", "-x", "x%", "12:01:3x", ":",
    ])
  func others(text: String) throws {
    #expect(try time(text) == nil)
  }
}
