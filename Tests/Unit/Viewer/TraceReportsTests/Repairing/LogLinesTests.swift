import Testing

@testable import TraceAnalysis
@testable import TraceReports

@Suite("LogLines")
struct LogLinesTests {
  @Test(
    "Lines of a log are read the same way in pieces of any size",
    arguments: [1, 2, 7, 64, 100_000])
  func pieces(size: Int) throws {
    let text = "\u{FEFF}a\r\n\0\0b c\n\n \t\r\n\(String(repeating: "x", count: 30))\nlast"
    var lines = LogLines(
      LogSource(name: "log", bytes: Array(text.utf8)), piece: size, maxLineLength: 20)
    var seen: [String] = []
    try lines.forEach { line, text in
      seen.append(
        "\(line.number) \(line.offset) \(line.padding.rawValue) \(line.isTooLong ? "long" : "")"
          + String(decoding: text, as: UTF8.self) + (line.isEnded ? "" : " open"))
      return true
    }
    #expect(
      seen == ["1 3 3 a", "2 8 4 b c", "3 8 0 ", "4 8 10 ", "5 17 0 long", "6 48 0 last open"])
  }
}
