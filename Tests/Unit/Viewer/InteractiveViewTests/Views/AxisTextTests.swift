import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import TraceWords

@Suite("Labels of the axis")
struct AxisTextTests {
  private static let day: UInt64 = 86_400_000_000_000

  /// Durations from ten nanoseconds to a hundred days.
  private static let durations: [UInt64] = {
    var all: [UInt64] = []
    var duration: UInt64 = 10
    while duration < 100 * day {
      all += [duration, duration + duration / 3]
      duration = duration * 16 / 10
    }
    return all + [100 * day]
  }()

  private static let starts: [UInt64] = [
    0, 1, 999_999_999, 59_990_000_000, 3_599_999_999_000, 3_600_000_000_000, 5_025_123_456_789,
    day - 1_000_000_000, day, 3 * day + 7_384_000_000_123, 99 * day,
  ]

  private func viewer(clock: Bool) throws -> Viewer {
    var stage = try ViewerStage(SampleLog.leak)
    if clock { stage.type("T") }
    return stage.viewer
  }

  /// Returns the problems with the ticks of all ranges.
  private func problems(
    clock: Bool, starts: [UInt64] = Self.starts, durations: [UInt64] = Self.durations
  )
    throws -> [String]
  {
    let text = AxisText(try viewer(clock: clock))
    var problems: [String] = []
    for start in starts {
      for duration in durations {
        for columns in [13, 55, 90, 275] {
          let scale = TimeScale(
            start: Nanoseconds(start), duration: Nanoseconds(duration), columns: columns)
          let ticks = AxisView.ticks(scale, text)
          let names = ticks.map { text.name(of: $0.time, among: ticks) }
          for number in ticks.indices.dropLast() {
            let end = ticks[number].column + DisplayWidth.columns(of: names[number])
            let place = "\(start) + \(duration) in \(columns): '\(names[number])'"
            if end >= ticks[number + 1].column { problems.append("\(place) runs into the next") }
            if names[number] == names[number + 1] { problems.append("\(place) comes twice") }
          }
        }
      }
    }
    return problems
  }

  @Test("Neighboring axis labels differ and don't overlap within the first hour")
  func firstHour() throws {
    let starts = Self.starts.filter { $0 < 3_500_000_000_000 }
    let durations = Self.durations.filter { $0 < 90_000_000_000 }
    let found = try problems(clock: false, starts: starts, durations: durations)
    #expect(found.isEmpty, "\(found.count): \(found.prefix(5))")
  }

  @Test("Neighboring axis labels differ and don't overlap at any zoom level")
  func everyZoom() throws {
    let found = try problems(clock: false)
    #expect(found.isEmpty, "\(found.count): \(found.prefix(5))")
  }

  @Test("Neighboring wall clock labels differ within a day")
  func clockWithinDay() throws {
    let durations = Self.durations.filter { $0 < Self.day }
    let found = try problems(clock: true, durations: durations)
    #expect(found.isEmpty, "\(found.count): \(found.prefix(5))")
  }

  @Test("Neighboring wall clock labels differ over several days")
  func clockOverDays() throws {
    let found = try problems(clock: true, durations: Self.durations.filter { $0 >= Self.day })
    #expect(found.isEmpty, "\(found.count): \(found.prefix(5))")
  }

  /// The sample began at 23:48:50.123456789.
  @Test(
    "Wall clock labels continue after midnight",
    arguments: [
      (0, 1_000_000_000, "23:48:50"), (0, 1_000_000, "23:48:50.123"), (0, 1, "23:48:50.123456789"),
      (669_000_000_000, 1_000_000_000, "23:59:59"), (670_000_000_000, 1_000_000_000, "00:00:00"),
      (669_876_543_210, 1, "23:59:59.999999999"), (669_876_543_211, 1, "00:00:00.000000000"),
      (86_400_000_000_000, 1_000_000, "23:48:50.123"),
      (87_070_000_000_000, 60_000_000_000, "00:00:00"),
    ] as [(UInt64, UInt64, String)])
  func midnight(time: UInt64, step: UInt64, expected: String) throws {
    let text = AxisText(try viewer(clock: true))
    #expect(text.name(of: Nanoseconds(time), step: step) == expected)
  }

  @Test("Wall clock labels are at round times")
  func roundClock() throws {
    let viewer = try viewer(clock: true)
    let text = AxisText(viewer)
    let scale = TimeScale(duration: Nanoseconds(60_000_000_000), columns: 55)
    // A label is the exact time of its tick: 23:48:50 isn't 23:48:50.123.
    for tick in AxisView.ticks(scale, text) {
      #expect((tick.time.count + 123_456_789).isMultiple(of: 1_000_000_000))
    }
  }

  @Test("A log without a start time has log times as wall clock labels")
  func noClock() throws {
    var stage = try ViewerStage(
      #"{"t":0,"event":"trace","version":1,"trace":"1"}"# + "\n"
        + #"{"t":5,"event":"subscribe","sub":1,"lane":"a"}"# + "\n")
    stage.type("T")
    let axis = stage.screen[stage.viewer.layout.axis.lowerBound]
    #expect(axis.hasPrefix("clock"))
    #expect(axis.contains("0"))
  }

  @Test(
    "The times of events in a column differ in their digits if they differ",
    arguments: durations.prefix(40))
  func columns(duration: UInt64) throws {
    let text = AxisText(try viewer(clock: false))
    let step = max(1, duration / 55)
    for start in Self.starts {
      let times = [0, 1, 2].map { Nanoseconds(start + step * $0) }
      #expect(Set(text.column(of: times, shown: 0..<3)).count == 3)
      #expect(text.column(of: times, shown: 1..<2).count == 1)
    }
  }

  @Test("Times in a column have the unit and the digits that all of them need")
  func column() throws {
    func texts(_ times: [UInt64]) throws -> [String] {
      AxisText(try viewer(clock: false)).column(
        of: times.map { Nanoseconds($0) }, shown: times.indices)
    }
    #expect(try texts([0, 20, 640]) == ["0 ns", "20 ns", "640 ns"])
    #expect(try texts([12_345, 646_000]) == ["12.345 µs", "646.000 µs"])
    #expect(try texts([157_000_000, 157_000_900]) == ["157.0000 ms", "157.0009 ms"])
    #expect(
      try texts([157_000_000, 157_200_000, 2_000_000_000]) == ["0.1570 s", "0.1572 s", "2.0000 s"])
    #expect(try texts([5_000_000_000, 5_000_000_000]) == ["5.000 s", "5.000 s"])
    // The last digit is rounded, as in `292 ms`.
    #expect(try texts([291_600_000, 1_999_999_999]) == ["0.292 s", "2.000 s"])
    #expect(
      try texts([3_599_999_600_000, 3_600_001_000_000]) == ["1:00:00.000 h", "1:00:00.001 h"])
    #expect(try texts([]) == [])
  }
}
