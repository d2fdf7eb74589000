import Testing

@testable import TraceFormat
@testable import ViewerConsole

@Suite("DurationText")
struct DurationTextTests {
  @Test(
    "Durations are written with suitable units and precision",
    arguments: [
      (0, "0 ns"), (999, "999 ns"), (1000, "1 µs"), (12_000, "12 µs"), (12_340, "12.3 µs"),
      (350_000_000, "350 ms"), (999_499, "999 µs"), (999_500, "1 ms"), (1_240_000_000, "1.24 s"),
      (1_005_000_000, "1.01 s"), (9_995_000_000, "10 s"), (59_949_999_999, "59.9 s"),
      (59_950_000_000, "1 min"), (123_000_000_000, "2 min 3 s"), (3_599_600_000_000, "1 h"),
      (3_900_000_000_000, "1 h 5 min"), (273_600_000_000_000, "3 d 4 h"), (.max, "213504 d"),
    ] as [(UInt64, String)])
  func text(time: UInt64, expected: String) {
    #expect(DurationText(isASCII: false)(Nanoseconds(time)) == expected)
  }

  @Test("Microseconds are written with a u in ASCII")
  func ascii() {
    #expect(DurationText(isASCII: true)(Nanoseconds(12_000)) == "12 us")
  }

  @Test("Large numbers have grouped digits")
  func counts() {
    #expect(CountText.make(1, "record") == "1 record")
    #expect(CountText.make(0, "record") == "0 records")
    #expect(CountText.make(1_234_567, "record") == "1,234,567 records")
    #expect(CountText.make(123, "entry", "entries") == "123 entries")
  }
}
