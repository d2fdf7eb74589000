import Foundation
import TestSupport
import ViewerTestSupport

/// Logs for tests of the viewer.
enum StageLogs {
  static let ms = 1_000_000

  /// Returns the log of a search field whose requests leak, as the sample program wrote it.
  static func search() throws -> String {
    try String(contentsOfFile: BundledLog.leak, encoding: .utf8)
  }

  /// A log in which each element of `query` makes a `request` for `results`. The query is #1, the
  /// results are #2, and the requests are #3 and #4.
  static let origins = SampleLog.make([
    SampleLog.subscribe(1, "query", at: 100 * ms),
    SampleLog.subscribe(2, "results", at: 150 * ms),
    SampleLog.next(1, "query", at: 300 * ms, "swift"),
    SampleLog.subscribe(3, "request", at: 300 * ms, line: 57, #","parent":2,"cause":1"#),
    SampleLog.end("failed", 3, "request", at: 400 * ms),
    SampleLog.next(1, "query", at: 500 * ms, "Swift 6"),
    SampleLog.subscribe(4, "request", at: 500 * ms, line: 57, #","parent":2,"cause":1"#),
    SampleLog.end("failed", 4, "request", at: 600 * ms),
    SampleLog.end("disposed", 2, "results", at: 900 * ms),
    SampleLog.end("disposed", 1, "query", at: 900 * ms),
  ])

  /// Returns the first lines of a log that is still being written, with an element every 10 ms.
  static func growing(_ count: Int, lane: String = "ticks") -> String {
    let lines =
      [SampleLog.header, SampleLog.subscribe(1, lane, at: 0)]
      + (1...max(1, count)).map { SampleLog.next(1, lane, at: $0 * 10 * ms, "\($0)") }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns a log of similar lanes that don't all fit on a screen.
  static func lanes(_ count: Int) -> String {
    SampleLog.make(
      (1...count).map { SampleLog.subscribe($0, "lane\($0)", at: $0 * ms, line: $0) }
        + (1...count).map { SampleLog.end("completed", $0, "lane\($0)", at: 500 * ms + $0) })
  }
}
