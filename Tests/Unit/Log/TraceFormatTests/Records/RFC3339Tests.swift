import Testing

@testable import TraceFormat

@Suite("RFC3339")
struct RFC3339Tests {
  @Test(
    "Wall-clock time is formatted as RFC 3339",
    arguments: [
      (0, 0, "1970-01-01T00:00:00.000000000Z"),
      (1_600_000_000, 5, "2020-09-13T12:26:40.000000005Z"),
      (951_782_400, 0, "2000-02-29T00:00:00.000000000Z"),
      (-1, 999_999_999, "1969-12-31T23:59:59.999999999Z"),
      (4_107_542_400, 0, "2100-03-01T00:00:00.000000000Z"),
    ])
  func time(seconds: Int, nanoseconds: Int, text: String) {
    #expect(RFC3339.text(secondsSince1970: seconds, nanoseconds: nanoseconds) == text)
  }
}
