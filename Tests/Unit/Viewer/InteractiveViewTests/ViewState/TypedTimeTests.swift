import TestSupport
import Testing

@testable import InteractiveView
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerConsole

@Suite("TypedTime")
struct TypedTimeTests {
  private let duration = DurationText(isASCII: true)

  /// The log starts at 23:48:50.123456789 UTC and lasts a second.
  private func time(_ text: String) throws -> TypedTime? {
    TypedTime(text, in: try ViewerStage.snapshot(SampleLog.leak).analysis, duration)
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
    arguments: ["", "settings", "25:00", "12:60", "1:2:3:4", "12:01:60", "-1s", "12:01:3x", ":"])
  func others(text: String) throws {
    #expect(try time(text) == nil)
  }
}
