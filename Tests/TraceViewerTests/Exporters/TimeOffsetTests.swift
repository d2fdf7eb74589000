import ReactiveTrace
import Testing

@testable import trace_viewer

@Suite("TimeOffset")
struct TimeOffsetTests {
  @Test(
    "reads times as people write them",
    arguments: [
      ("1.5s", 1_500_000_000), ("300ms", 300_000_000), ("12us", 12_000), ("12µs", 12_000),
      ("7ns", 7), ("2min", 120_000_000_000), ("1h", 3_600_000_000_000), ("3", 3_000_000_000),
      ("0.25", 250_000_000), ("0s", 0), ("1.0000000019s", 1_000_000_001), ("0.5ns", 0),
      ("0.1min", 6_000_000_000), ("18446744073709551615ns", UInt64.max),
    ])
  func times(text: String, expected: UInt64) {
    #expect(TimeOffset.nanoseconds(of: text) == Nanoseconds(expected))
  }

  @Test(
    "takes nothing else for a time",
    arguments: [
      "", "s", ".", "1.", ".5s", "1.2.3s", "-1s", "1 s", "1S", "1e3s", "start", "٣s",
      "18446744073709551616ns", "18446744074s", "99999999999999999999h",
    ])
  func others(text: String) {
    #expect(TimeOffset.nanoseconds(of: text) == nil)
  }
}
