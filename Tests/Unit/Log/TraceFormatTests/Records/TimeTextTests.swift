import Testing

@testable import TraceFormat

@Suite("TimeText")
struct TimeTextTests {
  @Test(
    "Times are parsed in every notation that people and reports use",
    arguments: [
      ("0", 0), ("2", 2_000_000_000), ("1.5", 1_500_000_000), (".5s", 500_000_000),
      ("1.5s", 1_500_000_000), ("300ms", 300_000_000), ("12us", 12_000), ("12 \u{B5}s", 12_000),
      ("12\u{3BC}s", 12_000), ("7ns", 7), ("2min", 120_000_000_000), ("1h", 3_600_000_000_000),
      ("2 min 3 s", 123_000_000_000), ("1d 1h", 90_000_000_000_000),
      ("1.23456789012s", 1_234_567_890),
      ("99999999999999999999h", UInt64.max), ("1.5ns", 1),
    ])
  func valid(text: String, count: UInt64) {
    #expect(TimeText.nanoseconds(text) == Nanoseconds(count))
  }

  @Test(
    "Strings that aren't times are rejected",
    arguments: ["", " ", "s", ".", ".s", "1.2.3s", "-1s", "1x", "1 2", "1s 2", "+1", "1e3s", "١s"])
  func invalid(text: String) {
    #expect(TimeText.nanoseconds(text) == nil)
  }
}
