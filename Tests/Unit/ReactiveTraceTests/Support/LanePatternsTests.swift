import Testing

@testable import ReactiveTrace
@testable import TraceFormat

@Suite("Lane patterns")
struct LanePatternsTests {
  @Test(
    "Patterns select the lanes to trace",
    arguments: [
      ("", "anything", true), ("search.*", "search.query", true), ("search.*", "search", false),
      ("search.*,-*.tick", "search.tick", false), ("search.*,-*.tick", "search.query", true),
      ("-*.tick", "search.query", true), ("-*.tick", "a.tick", false), ("*", "", true),
      ("a*b*c", "aXbYbZc", true), ("a*b*c", "aXbYbZ", false), ("?", "é", true), ("?", "ab", false),
      ("??", "漢字", true), (" a , b ", "b", true), (" a , b ", " b", false), ("a,,b", "b", true),
      ("*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
      ("**", "x", true), ("a?", "a*", true), ("[a]", "[a]", true),
    ])
  func matches(patterns: String, lane: String, isTraced: Bool) {
    #expect(Trace.LanePatterns(patterns).matches(lane) == isTraced)
  }
}

@Suite("Settings")
struct SettingsTests {
  @Test(
    "Sizes are parsed with optional K, M and G suffixes",
    arguments: [
      ("0", 0), ("256", 256), ("4K", 4096), ("4k", 4096), ("100M", 100 << 20), ("2G", 2 << 30),
      ("", nil), ("K", nil), ("-1", nil), ("1.5M", nil), ("9223372036854775807", Int.max),
      ("9223372036854775807K", nil), ("1T", nil), (" 1", nil),
    ] as [(String, Int?)])
  func sizes(text: String, bytes: Int?) {
    #expect(EnvironmentSettings.bytes(text) == bytes)
  }

  @Test("The files of a rotated log are numbered before the extension")
  func segments() {
    #expect(SegmentPath.of("log.jsonl", 1) == "log.jsonl")
    #expect(SegmentPath.of("log.jsonl", 2) == "log.part-2.jsonl")
    #expect(SegmentPath.of("a.b/log", 3) == "a.b/log.part-3")
    #expect(SegmentPath.of("a/.hidden", 2) == "a/.hidden.part-2")
    #expect(SegmentPath.of("a/x.y.jsonl", 12) == "a/x.y.part-12.jsonl")
  }

  @Test(
    "Durations are formatted with a readable unit",
    arguments: [
      (0, "0 ns"), (999, "999 ns"), (1000, "1 µs"), (1_204_000, "1.204 ms"),
      (2_100_000_000, "2.1 s"),
      (61_000_000_000, "61 s"),
    ])
  func elapsed(nanoseconds: Int, text: String) {
    #expect(ElapsedTime.text(nanoseconds) == text)
  }
}
